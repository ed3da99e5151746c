/* The contract of a C plug-in: how a library without Python is judged by `dlspec run ./libmine.so`.
 *
 * Plain C99, no dependency. A plug-in is a shared library that exports one function,
 *
 *     const DlspecPlugin* dlspec_plugin(void);
 *
 * which returns a table that stays valid for the life of the process. NULL means that the library does
 * not play that role: a producer fills `make`; a consumer fills `import_tensor`, `contents` and
 * `release`; a library with tensor descriptors and a strided copy fills `bridge`; one with a C exchange
 * table fills `exchange_api` and `release`, beside the others or in their place. dlspec loads the
 * plug-in into a process of its own and calls it from one thread at a time; deleters are called from
 * any thread.
 *
 * Functions report a refusal by returning DLSPEC_UNSUPPORTED and, if they like, pointing *reason at a
 * string with static storage. No function may print, exit or let a C++ exception out.
 *
 * Examples of 40 to 60 lines: examples/producer.c, examples/consumer.c, examples/bridge.cc.
 */
#ifndef DLSPEC_PLUGIN_H_
#define DLSPEC_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this table. dlspec refuses a plug-in whose table has another one. Later members are added
 * at the end, and a table that was compiled without them (see table_size) is taken as if they were NULL. */
#define DLSPEC_PLUGIN_VERSION 1

/* What the functions return. */
enum {
  DLSPEC_OK = 0,
  DLSPEC_UNSUPPORTED = 1, /* a clean refusal: the library cannot do this */
  DLSPEC_ERROR = 2        /* the library tried and failed: judged like a refusal, but named */
};

/* Which struct travels. */
enum {
  DLSPEC_LEGACY = 0,   /* DLManagedTensor */
  DLSPEC_VERSIONED = 1 /* DLManagedTensorVersioned */
};

/* The array that a producer is asked to make. Everything is valid during the call only. */
typedef struct DlspecSpec {
  uint8_t code;           /* DLDataTypeCode */
  uint8_t bits;           /* width of one lane */
  uint16_t lanes;         /* 1 for scalars */
  int32_t ndim;           /* rank; 0 is a scalar */
  const int64_t* shape;   /* ndim extents */
  const int64_t* strides; /* ndim strides in elements, an order; or NULL: the library's default */
  int64_t offset;         /* elements before element (0, ..., 0) in its memory, an order */
  int32_t read_only;      /* not 0: the array may not be written by consumers */
  int32_t device_type;    /* DLDeviceType */
  int32_t device_id;
  const void* bytes; /* the contents: elements in C order, native byte order, sub-byte packed */
  size_t byte_count;
} DlspecSpec;

/* A tensor as a descriptor is told of it. Everything is passed on as it is, faults included, because refusals are
 * judged, too: a NULL shape although there are axes, extents beyond any memory, unknown dtypes. The arrays
 * have ndim numbers and are valid during the call only. */
typedef struct DlspecDescription {
  uint8_t code;             /* DLDataTypeCode */
  uint8_t bits;             /* width of one lane */
  uint16_t lanes;           /* 1 for scalars */
  size_t ndim;              /* rank; 0 is a scalar */
  const size_t* shape;      /* extents; NULL for a scalar */
  const ptrdiff_t* strides; /* elements; NULL: contiguous, row-major */
} DlspecDescription;

/* Why something was refused. */
typedef struct DlspecRefusal {
  const char* reason; /* static storage, or NULL as it was found */
  int status;         /* the infiniStatus_t of InfiniOP's documentation, or -1 as it was found: the library has none */
} DlspecRefusal;

/* Tensor descriptors, and the copy that they describe. Descriptors are opaque to dlspec; data pointers
 * are those of element (0, ..., 0), on the CPU. The functions are asked for what they should refuse, too. */
typedef struct DlspecBridge {
  uint32_t table_size; /* sizeof(DlspecBridge) */

  /* On DLSPEC_OK *descriptor is a new descriptor, which dlspec destroys. */
  int (*describe)(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal);
  void (*destroy)(void* descriptor);

  /* A new descriptor of a tensor that was exported elsewhere, as `generation` says, and where its
   * element (0, ..., 0) lies (anything without elements). The tensor stays dlspec's, which keeps it until the
   * descriptor is destroyed. `writable` not 0: as the destination of a copy. NULL: the library takes no DLPack tensors.
   */
  int (*from_dlpack)(const void* exported, int generation, int writable, void** descriptor, void** data,
                     DlspecRefusal* refusal);

  /* The descriptor with `data` as a tensor: *exported is a new DLManagedTensor* or
   * DLManagedTensorVersioned*, which dlspec releases by its deleter, once. The data stays dlspec's.
   * NULL: the library makes no DLPack tensors. */
  int (*to_dlpack)(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal);

  /* Copies every element of `from` to the same index of `to`. On a refusal nothing has been written. To be
   * refused: other dtypes or shapes on one side, a destination whose elements share memory with each other or with
   * other elements of `from` (or copied by way of other memory), NULL although there are elements. */
  int (*rearrange)(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal);
} DlspecBridge;

typedef struct DlspecPlugin {
  uint32_t plugin_version; /* DLSPEC_PLUGIN_VERSION */
  uint32_t table_size;     /* sizeof(DlspecPlugin) */
  const char* name;        /* of the library, for reports */
  const char* version;     /* of the library, as loaded */

  /* Producer: makes the array and exports it. On DLSPEC_OK *exported is a DLManagedTensor* or
   * DLManagedTensorVersioned* as `generation` says, which dlspec releases by its deleter, once. */
  int (*make)(const DlspecSpec* spec, int generation, void** exported, const char** reason);

  /* Consumer: takes the tensor over. On DLSPEC_OK *array stands for the imported array and the
   * library has the duty to call the deleter; on a refusal the library has released the tensor
   * already (it was handed over with the call). */
  int (*import_tensor)(void* exported, int generation, void** array, const char** reason);

  /* Consumer: writes the logical contents of an imported array in C order, byte_count bytes. */
  int (*contents)(void* array, void* bytes, size_t byte_count);

  /* Consumer: gives the imported array up. The deleter may be called on another thread, a moment later (0.3 s). */
  void (*release)(void* array);

  /* Bridge: a table of functions. */
  const DlspecBridge* bridge;

  /* Exchange table: a DLPackExchangeAPI with static storage. In the place of Python objects its functions
   * take and give objects of the library, those that managed_tensor_to_py_object_no_sync makes; dlspec gives
   * them up by `release`. A failure is -1, without an exception. Where `make` or `import_tensor` and `contents`
   * are NULL, dlspec makes and imports arrays through this table. */
  const void* exchange_api;
} DlspecPlugin;

/* The one symbol that a plug-in exports. */
#if defined(_WIN32)
#define DLSPEC_EXPORT __declspec(dllexport)
#else
#define DLSPEC_EXPORT __attribute__((visibility("default")))
#endif
typedef const DlspecPlugin* (*DlspecPluginFunction)(void);
DLSPEC_EXPORT const DlspecPlugin* dlspec_plugin(void);

#ifdef __cplusplus
}
#endif
#endif /* DLSPEC_PLUGIN_H_ */
