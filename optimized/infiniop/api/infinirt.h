/* The runtime that InfiniOP stands on: which device is current, and memory on it. libinfinirt.so.
 *
 * This build has one device, the CPU (number 0, any id). Every thread has a current device of its own, at first
 * the CPU. When infinirtSetDevice refuses a device the thread has none, so that nobody who ignores
 * the refusal works on the wrong one: until a device is accepted again all functions of the runtime
 * that concern the current device, and infiniopCreateHandle, answer with the status of the refusal.
 *
 * No function prints, aborts or throws. All may be called from any thread. */
#ifndef DLSPEC_INFINIOP_INFINIRT_H_
#define DLSPEC_INFINIOP_INFINIRT_H_

#include <dlspec/infiniop/infini_types.h>

#ifdef __cplusplus
extern "C" {
#endif

DLSPEC_INFINI_ENUM(infinirtMemcpyKind_t){INFINIRT_MEMCPY_H2H = 0, INFINIRT_MEMCPY_H2D = 1, INFINIRT_MEMCPY_D2H = 2,
                                         INFINIRT_MEMCPY_D2D = 3};
DLSPEC_INFINI_TYPE(infinirtMemcpyKind_t)

/* SUCCESS. Need not be called. */
INFINI_API infiniStatus_t infinirtInit(void) INFINI_NOEXCEPT;

/* Writes INFINI_DEVICE_TYPE_COUNT numbers, indexed by device. NULL_POINTER. */
INFINI_API infiniStatus_t infinirtGetAllDeviceCount(int* counts) INFINI_NOEXCEPT;

/* One of them. NULL_POINTER; DEVICE_TYPE_NOT_SUPPORTED for a number that is no device. */
INFINI_API infiniStatus_t infinirtGetDeviceCount(infiniDevice_t device, int* count) INFINI_NOEXCEPT;

/* Makes a device the thread's current one. DEVICE_TYPE_NOT_SUPPORTED: see above. */
INFINI_API infiniStatus_t infinirtSetDevice(infiniDevice_t device, int device_id) INFINI_NOEXCEPT;

/* Either pointer may be NULL. NULL_POINTER when both are; the status of a refusal. */
INFINI_API infiniStatus_t infinirtGetDevice(infiniDevice_t* device, int* device_id) INFINI_NOEXCEPT;

/* Waits for all work that was given to the current device. */
INFINI_API infiniStatus_t infinirtDeviceSynchronize(void) INFINI_NOEXCEPT;

/* Memory of the current device, aligned to 256 bytes; not NULL for 0 bytes either. NULL_POINTER;
 * INTERNAL_ERROR when there is not so much, *pointer is then NULL. */
INFINI_API infiniStatus_t infinirtMalloc(void** pointer, size_t size) INFINI_NOEXCEPT;

/* Gives back what infinirtMalloc gave, whatever device is current. NULL does nothing. */
INFINI_API infiniStatus_t infinirtFree(void* pointer) INFINI_NOEXCEPT;

/* Copies and is done on return; the regions may overlap. BAD_PARAM for another kind; NULL_POINTER unless size is 0. */
INFINI_API infiniStatus_t infinirtMemcpy(void* dst, const void* src, size_t size,
                                         infinirtMemcpyKind_t kind) INFINI_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif /* DLSPEC_INFINIOP_INFINIRT_H_ */
