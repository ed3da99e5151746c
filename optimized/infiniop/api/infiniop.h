/* Tensor descriptors and Rearrange of InfiniOP, in libinfiniop.so, which loads libinfinirt.so from its own folder.
 *
 * Functions named infiniop... have the interface of InfiniCore's documentation: a program built for its library runs
 * on this one. Functions named dlspecInfiniop... are extensions. libinfiniop.so also exports the functions of
 * InfiniOP's other operators, because clients look them up at start; these return NOT_IMPLEMENTED for any arguments
 * and are not declared here.
 *
 * Objects are opaque and belong to the caller, who destroys them. The library keeps a registry of live objects: a
 * pointer to no live object of the expected kind, such as one that is already destroyed, gives BAD_PARAM and is not
 * followed. (A new object of the same kind at the same address is taken for it.) Objects are thread-safe, except that
 * none may be used while it is being destroyed.
 *
 * Shapes and strides count elements. A stride may be negative, 0 on a broadcast axis, and anything on an axis of
 * extent 1 or in a tensor without elements. A data pointer is the address of element (0, ..., 0), with any alignment.
 * At most 64 axes.
 *
 * No function prints, aborts or throws; INTERNAL_ERROR means out of memory. Each function lists its statuses: it
 * returns the first that applies, otherwise SUCCESS. */
#ifndef DLSPEC_INFINIOP_INFINIOP_H_
#define DLSPEC_INFINIOP_INFINIOP_H_

#include <dlspec/infiniop/infini_types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct InfiniopHandle* infiniopHandle_t;
typedef struct InfiniopTensorDescriptor* infiniopTensorDescriptor_t;
typedef struct InfiniopRearrangeDescriptor* infiniopRearrangeDescriptor_t;

/* Makes a handle for the calling thread's current device (infinirtSetDevice). NULL_POINTER; the status with which the
 * runtime refused a device; INTERNAL_ERROR. On failure *handle is NULL. */
INFINI_API infiniStatus_t infiniopCreateHandle(infiniopHandle_t* handle) INFINI_NOEXCEPT;

/* NULL_POINTER, BAD_PARAM. Operators made with the handle remain usable. */
INFINI_API infiniStatus_t infiniopDestroyHandle(infiniopHandle_t handle) INFINI_NOEXCEPT;

/* Copies shape and strides, both in elements. strides NULL: compact, row-major. NULL_POINTER (shape may be NULL for
 * ndim 0), BAD_TENSOR_DTYPE (no dtype has this number), BAD_PARAM (ndim above 64), BAD_TENSOR_SHAPE (elements of more
 * than 2^63-1 bytes), BAD_TENSOR_STRIDES (a span of more than that), INTERNAL_ERROR. On failure *descriptor is NULL. */
INFINI_API infiniStatus_t infiniopCreateTensorDescriptor(infiniopTensorDescriptor_t* descriptor, size_t ndim,
                                                         const size_t* shape, const ptrdiff_t* strides,
                                                         infiniDtype_t dtype) INFINI_NOEXCEPT;

/* BAD_PARAM. NULL is ignored: SUCCESS. */
INFINI_API infiniStatus_t infiniopDestroyTensorDescriptor(infiniopTensorDescriptor_t descriptor) INFINI_NOEXCEPT;

/* Plans the copy of src's elements to the same indices of dst. Afterwards both descriptors and the handle may be
 * destroyed. NULL_POINTER; BAD_PARAM (see above); BAD_TENSOR_DTYPE and BAD_TENSOR_SHAPE if the two differ;
 * BAD_TENSOR_STRIDES if two indices of dst share storage, or if the search for that exceeds its budget;
 * INTERNAL_ERROR. Without elements strides are ignored. On failure *operation is NULL. */
INFINI_API infiniStatus_t infiniopCreateRearrangeDescriptor(infiniopHandle_t handle,
                                                            infiniopRearrangeDescriptor_t* operation,
                                                            infiniopTensorDescriptor_t dst,
                                                            infiniopTensorDescriptor_t src) INFINI_NOEXCEPT;

/* Copies bit by bit; bytes of dst between its elements keep their values. Allocates nothing. Writes nothing on failure.
 *
 * On the CPU complete on return: it has no streams, and `stream` is ignored. On a GPU enqueued on `stream` (a
 * cudaStream_t; NULL: the default stream) of the calling thread's current device, without waiting; data must be device,
 * managed or pinned memory.
 *
 * NULL_POINTER (data may be NULL if there are no elements); BAD_PARAM (no live operator; elements outside the address
 * space; src and dst share bytes and are not the same view, or the search for that exceeds its budget; host memory
 * given to a GPU's operator); DEVICE_TYPE_NOT_SUPPORTED, DEVICE_NOT_FOUND, DEVICE_ARCHITECTURE_NOT_SUPPORTED and
 * INTERNAL_ERROR for what CUDA reports. */
INFINI_API infiniStatus_t infiniopRearrange(infiniopRearrangeDescriptor_t operation, void* dst, const void* src,
                                            void* stream) INFINI_NOEXCEPT;

/* NULL_POINTER, BAD_PARAM. */
INFINI_API infiniStatus_t infiniopDestroyRearrangeDescriptor(infiniopRearrangeDescriptor_t operation) INFINI_NOEXCEPT;

/* The device of an operator. NULL_POINTER, BAD_PARAM. */
INFINI_API infiniStatus_t infiniopGetDescriptorDeviceType(const void* operation,
                                                          infiniDevice_t* device) INFINI_NOEXCEPT;
INFINI_API infiniStatus_t infiniopGetDescriptorDeviceId(const void* operation, int* device_id) INFINI_NOEXCEPT;

/* Memory that a tensor may use: [start, start + bytes). */
typedef struct dlspecInfiniopBuffer {
  const void* start;
  size_t bytes;
} dlspecInfiniopBuffer;

/* Like infiniopRearrange, but refuses a view that leaves its buffer: BAD_PARAM. */
INFINI_API infiniStatus_t dlspecInfiniopRearrangeSized(infiniopRearrangeDescriptor_t operation, void* dst,
                                                       dlspecInfiniopBuffer dst_buffer, const void* src,
                                                       dlspecInfiniopBuffer src_buffer, void* stream) INFINI_NOEXCEPT;

/* Why a DLPack tensor cannot become a descriptor, or a descriptor a DLPack tensor, with the status that is then
 * returned. The first that applies in this order: the struct, its version, flags and read-only mark, device, dtype,
 * rank, shape, strides, data. */
DLSPEC_INFINI_ENUM(dlspecInfiniopReason){
    DLSPEC_INFINIOP_NONE = 0,
    DLSPEC_INFINIOP_MISSING = 1,       /* NULL_POINTER: the struct, its shape, or data although there are elements */
    DLSPEC_INFINIOP_VERSION = 2,       /* BAD_PARAM: another major version; only the deleter may be called */
    DLSPEC_INFINIOP_FLAGS = 3,         /* BAD_PARAM: a flag that this library does not know */
    DLSPEC_INFINIOP_DEVICE = 4,        /* DEVICE_TYPE_NOT_SUPPORTED: not readable as CPU memory */
    DLSPEC_INFINIOP_DTYPE = 5,         /* BAD_TENSOR_DTYPE: no counterpart */
    DLSPEC_INFINIOP_LANES = 6,         /* BAD_TENSOR_DTYPE: elements of several lanes */
    DLSPEC_INFINIOP_PADDED = 7,        /* BAD_TENSOR_DTYPE: marked as padded sub-byte elements */
    DLSPEC_INFINIOP_RANK = 8,          /* BAD_PARAM: negative or above 64 */
    DLSPEC_INFINIOP_SHAPE = 9,         /* BAD_TENSOR_SHAPE: a negative extent, or too many elements */
    DLSPEC_INFINIOP_NULL_STRIDES = 10, /* BAD_TENSOR_STRIDES: NULL, which is illegal since version 1.2 */
    DLSPEC_INFINIOP_STRIDES = 11,      /* BAD_TENSOR_STRIDES: the span is too large */
    DLSPEC_INFINIOP_OFFSET = 12,       /* BAD_PARAM: data + byte_offset leaves the address space */
    DLSPEC_INFINIOP_READ_ONLY = 13,    /* BAD_PARAM: to be written, but marked as read-only */
    DLSPEC_INFINIOP_MEMORY = 14,       /* INTERNAL_ERROR: out of memory */
    DLSPEC_INFINIOP_OBJECT = 15        /* BAD_PARAM: no live descriptor */
};
DLSPEC_INFINI_TYPE(dlspecInfiniopReason)

/* From DLPack, given the official structs of dlpack.h. The caller keeps ownership: it calls the deleter, also after a
 * refusal, and keeps the memory alive as long as *data is used. With `writable` not 0 a read-only tensor is refused.
 * *data is the address of element (0, ..., 0), or NULL without elements; `data` and `reason` may be NULL. On failure
 * *descriptor and *data are NULL. */
INFINI_API infiniStatus_t dlspecInfiniopFromDLPackVersioned(infiniopTensorDescriptor_t* descriptor, void** data,
                                                            const void* managed_versioned, int writable,
                                                            dlspecInfiniopReason* reason) INFINI_NOEXCEPT;
INFINI_API infiniStatus_t dlspecInfiniopFromDLPack(infiniopTensorDescriptor_t* descriptor, void** data,
                                                   const void* managed, dlspecInfiniopReason* reason) INFINI_NOEXCEPT;

/* To DLPack: a new DLManagedTensorVersioned (version 1.2) or DLManagedTensor on the CPU, with explicit shape and
 * strides. Its deleter calls release(owner), unless release is NULL; `data` must stay valid until then. On failure
 * release is not called and *managed is NULL. BYTE becomes uint8; C16 has no counterpart. */
INFINI_API infiniStatus_t dlspecInfiniopToDLPackVersioned(infiniopTensorDescriptor_t descriptor, void* data,
                                                          int read_only, void (*release)(void* owner), void* owner,
                                                          void** managed_versioned,
                                                          dlspecInfiniopReason* reason) INFINI_NOEXCEPT;
INFINI_API infiniStatus_t dlspecInfiniopToDLPack(infiniopTensorDescriptor_t descriptor, void* data,
                                                 void (*release)(void* owner), void* owner, void** managed,
                                                 dlspecInfiniopReason* reason) INFINI_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif /* DLSPEC_INFINIOP_INFINIOP_H_ */
