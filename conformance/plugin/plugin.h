/* The contract of a C plug-in: how a library without Python is judged by `dlspec run ./libmine.so`.
 *
 * Plain C99, no dependency. A plug-in is a shared library that exports one function,
 *
 *     const DlspecPlugin* dlspec_plugin(void);
 *
 * which returns a table that stays valid for the life of the process. A NULL function means that the
 * library does not play that role: a producer fills `make`; a consumer fills `import_tensor`,
 * `contents` and `release`. dlspec loads the plug-in into a process of its own and calls it from one
 * thread at a time; deleters are called from any thread.
 *
 * Functions report a refusal by returning DLSPEC_UNSUPPORTED and, if they like, pointing *reason at a
 * string with static storage. No function may print, exit or let a C++ exception out.
 *
 * Producer example in 40 lines: examples/producer.c. Consumer: examples/consumer.c.
 */
#ifndef DLSPEC_PLUGIN_H_
#define DLSPEC_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this table. dlspec refuses a plug-in whose table has another one. */
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
  const void* bytes;      /* the contents: elements in C order, native byte order, sub-byte packed */
  size_t byte_count;
} DlspecSpec;

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

  /* Consumer: gives the imported array up. */
  void (*release)(void* array);
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
