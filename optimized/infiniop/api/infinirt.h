/* The runtime below InfiniOP, in libinfinirt.so: the current device, and memory on it.
 *
 * Devices are the CPU (device number 0, any device id) and, if libdlspec_cuda.so stands beside this library, NVIDIA's
 * GPUs (device number 1). That library is loaded when a GPU is first asked for; without it GPUs are no supported device
 * type, with it but without a driver or a GPU they are not found. Every thread has its own current device, initially
 * the CPU. After infinirtSetDevice refuses a device the thread has none, so that a caller who ignores the status cannot
 * work on the wrong device: until a device is accepted, all functions that concern the current device, and
 * infiniopCreateHandle, return the status of the refusal.
 *
 * No function prints, aborts or throws. All are thread-safe. Each lists its statuses: it returns the first that
 * applies, otherwise SUCCESS. Source: InfiniCore's documentation. */
#ifndef DLSPEC_INFINIOP_INFINIRT_H_
#define DLSPEC_INFINIOP_INFINIRT_H_

#include <dlspec/infiniop/infini_types.h>

#ifdef __cplusplus
extern "C" {
#endif

DLSPEC_INFINI_ENUM(infinirtMemcpyKind_t){INFINIRT_MEMCPY_H2H = 0, INFINIRT_MEMCPY_H2D = 1, INFINIRT_MEMCPY_D2H = 2,
                                         INFINIRT_MEMCPY_D2D = 3};
DLSPEC_INFINI_TYPE(infinirtMemcpyKind_t)

/* Always SUCCESS. Calling it is optional. */
INFINI_API infiniStatus_t infinirtInit(void) INFINI_NOEXCEPT;

/* Writes INFINI_DEVICE_TYPE_COUNT counts, indexed by device. NULL_POINTER. */
INFINI_API infiniStatus_t infinirtGetAllDeviceCount(int* counts) INFINI_NOEXCEPT;

/* One of these counts. NULL_POINTER; DEVICE_TYPE_NOT_SUPPORTED for a number that is no device. */
INFINI_API infiniStatus_t infinirtGetDeviceCount(infiniDevice_t device, int* count) INFINI_NOEXCEPT;

/* Sets the thread's current device, for CUDA too. DEVICE_TYPE_NOT_SUPPORTED; DEVICE_NOT_FOUND: no driver, or no GPU of
 * this number; INTERNAL_ERROR: CUDA refuses the GPU. See above. */
INFINI_API infiniStatus_t infinirtSetDevice(infiniDevice_t device, int device_id) INFINI_NOEXCEPT;

/* Either pointer may be NULL. NULL_POINTER if both are; the status of a refusal. */
INFINI_API infiniStatus_t infinirtGetDevice(infiniDevice_t* device, int* device_id) INFINI_NOEXCEPT;

/* Waits for all work on the current device. The status of a refusal; INTERNAL_ERROR for errors of earlier kernels. */
INFINI_API infiniStatus_t infinirtDeviceSynchronize(void) INFINI_NOEXCEPT;

/* Allocates `size` bytes on the current device, aligned to 256 bytes; not NULL for 0 bytes either. NULL_POINTER;
 * INTERNAL_ERROR if out of memory, *pointer is then NULL. */
INFINI_API infiniStatus_t infinirtMalloc(void** pointer, size_t size) INFINI_NOEXCEPT;

/* Frees memory of infinirtMalloc, whatever the current device. NULL is ignored. */
INFINI_API infiniStatus_t infinirtFree(void* pointer) INFINI_NOEXCEPT;

/* Copies `size` bytes, complete on return; on the CPU the regions may overlap, and any kind means host memory.
 * BAD_PARAM for an unknown kind; NULL_POINTER unless size is 0. */
INFINI_API infiniStatus_t infinirtMemcpy(void* dst, const void* src, size_t size,
                                         infinirtMemcpyKind_t kind) INFINI_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif /* DLSPEC_INFINIOP_INFINIRT_H_ */
