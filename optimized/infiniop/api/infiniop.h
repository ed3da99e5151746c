/* Descriptors and Rearrange of InfiniOP. libinfiniop.so, which loads libinfinirt.so from beside itself.
 *
 * Functions named infiniop... are those of InfiniCore's documentation; a program that was made for its library runs on
 * this one. Those named dlspecInfiniop... are additions. libinfiniop.so also exports the functions of
 * InfiniOP's other operators, because clients look them up when they start: they answer
 * NOT_IMPLEMENTED, whatever the arguments, and are not declared here.
 *
 * Objects are opaque, and known to the library: a pointer that is no living object of the kind wanted,
 * such as one that was destroyed already, answers BAD_PARAM and is not followed. (When another object of the
 * same kind has been made at the same place since, it is taken for that one.) Objects may be used by several
 * threads at a time, but not while one destroys them.
 *
 * Shapes and strides count elements; a stride may be negative, 0 on an axis that repeats, and anything
 * on an axis of length 1 or in a tensor without elements. A data pointer is that of element
 * (0, ..., 0), of any alignment. At most 64 axes.
 *
 * No function prints, aborts or throws; INTERNAL_ERROR means that there is no memory. Where several
 * statuses apply, the first in the order in which they are listed is returned. */
#ifndef DLSPEC_INFINIOP_INFINIOP_H_
#define DLSPEC_INFINIOP_INFINIOP_H_

#include <dlspec/infiniop/infini_types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct InfiniopHandle* infiniopHandle_t;
typedef struct InfiniopTensorDescriptor* infiniopTensorDescriptor_t;
typedef struct InfiniopRearrangeDescriptor* infiniopRearrangeDescriptor_t;

/* A handle for the calling thread's current device (infinirtSetDevice). NULL_POINTER; the status with
 * which the runtime refused a device; INTERNAL_ERROR. On failure *handle is NULL. */
INFINI_API infiniStatus_t infiniopCreateHandle(infiniopHandle_t* handle) INFINI_NOEXCEPT;

/* NULL_POINTER, BAD_PARAM. Operators made with the handle stay usable. */
INFINI_API infiniStatus_t infiniopDestroyHandle(infiniopHandle_t handle) INFINI_NOEXCEPT;

/* Shape and strides are copied. strides NULL: compact, row-major. NULL_POINTER (shape may be NULL for
 * ndim 0), BAD_TENSOR_DTYPE (no dtype has this number), BAD_PARAM (ndim above 64), BAD_TENSOR_SHAPE
 * (more than 2^63-1 bytes of elements), BAD_TENSOR_STRIDES (the elements reach over more than that),
 * INTERNAL_ERROR. On failure *descriptor is NULL. */
INFINI_API infiniStatus_t infiniopCreateTensorDescriptor(infiniopTensorDescriptor_t* descriptor, size_t ndim,
                                                         const size_t* shape, const ptrdiff_t* strides,
                                                         infiniDtype_t dtype) INFINI_NOEXCEPT;

/* BAD_PARAM. NULL does nothing and is SUCCESS. */
INFINI_API infiniStatus_t infiniopDestroyTensorDescriptor(infiniopTensorDescriptor_t descriptor) INFINI_NOEXCEPT;

/* Plans the copy of src's elements to the same indices of dst. Both descriptors may be destroyed
 * afterwards, and the handle too. NULL_POINTER; BAD_PARAM (see above); BAD_TENSOR_DTYPE and
 * BAD_TENSOR_SHAPE when the two differ; BAD_TENSOR_STRIDES when two indices of dst lie on each other,
 * or it takes too long to find out; INTERNAL_ERROR. Without elements strides do not matter. On failure
 * *operation is NULL. */
INFINI_API infiniStatus_t infiniopCreateRearrangeDescriptor(infiniopHandle_t handle,
                                                            infiniopRearrangeDescriptor_t* operation,
                                                            infiniopTensorDescriptor_t dst,
                                                            infiniopTensorDescriptor_t src) INFINI_NOEXCEPT;

/* Copies bit by bit; bytes of dst between its elements keep their value. Complete on return: the CPU
 * has no streams, `stream` is not looked at. Needs no memory. NULL_POINTER (data may be NULL when
 * there are no elements), BAD_PARAM (no living operator; elements outside of the address space; src and dst share
 * bytes and are not the same view, or it takes too long to find out). Nothing is written on failure. */
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

/* As infiniopRearrange, but refuses a view that leaves its buffer: BAD_PARAM. */
INFINI_API infiniStatus_t dlspecInfiniopRearrangeSized(infiniopRearrangeDescriptor_t operation, void* dst,
                                                       dlspecInfiniopBuffer dst_buffer, const void* src,
                                                       dlspecInfiniopBuffer src_buffer, void* stream) INFINI_NOEXCEPT;

/* Why a DLPack tensor has no descriptor, or a descriptor no DLPack tensor, with the status that is then
 * returned. Of several the first is named in this order: the struct, its version, flags and read-only
 * mark, device, dtype, rank, shape, strides, data. */
DLSPEC_INFINI_ENUM(dlspecInfiniopReason){
    DLSPEC_INFINIOP_NONE = 0,
    DLSPEC_INFINIOP_MISSING = 1,       /* NULL_POINTER: the struct, its shape, or data although there are elements */
    DLSPEC_INFINIOP_VERSION = 2,       /* BAD_PARAM: another major version; only the deleter may be used */
    DLSPEC_INFINIOP_FLAGS = 3,         /* BAD_PARAM: a flag that this library does not know */
    DLSPEC_INFINIOP_DEVICE = 4,        /* DEVICE_TYPE_NOT_SUPPORTED: not readable as CPU memory */
    DLSPEC_INFINIOP_DTYPE = 5,         /* BAD_TENSOR_DTYPE: no counterpart */
    DLSPEC_INFINIOP_LANES = 6,         /* BAD_TENSOR_DTYPE: elements of several lanes */
    DLSPEC_INFINIOP_PADDED = 7,        /* BAD_TENSOR_DTYPE: marked as padded sub-byte elements */
    DLSPEC_INFINIOP_RANK = 8,          /* BAD_PARAM: negative or above 64 */
    DLSPEC_INFINIOP_SHAPE = 9,         /* BAD_TENSOR_SHAPE: a negative extent, or too many elements */
    DLSPEC_INFINIOP_NULL_STRIDES = 10, /* BAD_TENSOR_STRIDES: NULL, which version 1.2 does not allow any more */
    DLSPEC_INFINIOP_STRIDES = 11,      /* BAD_TENSOR_STRIDES: the elements reach too far */
    DLSPEC_INFINIOP_OFFSET = 12,       /* BAD_PARAM: data + byte_offset leaves the address space */
    DLSPEC_INFINIOP_READ_ONLY = 13,    /* BAD_PARAM: wanted for writing, but marked as read-only */
    DLSPEC_INFINIOP_MEMORY = 14,       /* INTERNAL_ERROR: no memory for the object */
    DLSPEC_INFINIOP_OBJECT = 15        /* BAD_PARAM: no living descriptor */
};
DLSPEC_INFINI_TYPE(dlspecInfiniopReason)

/* From DLPack, by official structs of dlpack.h. Nothing is taken over: calling the deleter stays the
 * caller's duty, also after a refusal, and the memory must live as long as *data is used. With
 * `writable` not 0 a read-only tensor is refused. *data is element (0, ..., 0), or NULL without
 * elements; it may be NULL, and so may `reason`. On failure *descriptor and *data are NULL. */
INFINI_API infiniStatus_t dlspecInfiniopFromDLPackVersioned(infiniopTensorDescriptor_t* descriptor, void** data,
                                                            const void* managed_versioned, int writable,
                                                            dlspecInfiniopReason* reason) INFINI_NOEXCEPT;
INFINI_API infiniStatus_t dlspecInfiniopFromDLPack(infiniopTensorDescriptor_t* descriptor, void** data,
                                                   const void* managed, dlspecInfiniopReason* reason) INFINI_NOEXCEPT;

/* To DLPack: a new DLManagedTensorVersioned (version 1.2) or DLManagedTensor on the CPU, with shape and strides
 * written out. Its deleter calls release(owner), unless that is NULL, which is where `data` is given up; on
 * failure release is not called and *managed is NULL. BYTE becomes uint8, C16 has no counterpart. */
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
