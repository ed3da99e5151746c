#include <dlspec/infiniop/infinirt.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace {

// The current device of this thread. There is one device, so that its number is not stored.
struct Current {
  infiniStatus_t status = INFINI_STATUS_SUCCESS;  // if it is an error: no device is current
  int device_id = 0;
};
thread_local Current current;

constexpr std::size_t alignment = 256;  // DLPack requires it

}  // namespace

extern "C" {

infiniStatus_t infinirtInit(void) noexcept { return INFINI_STATUS_SUCCESS; }

infiniStatus_t infinirtGetAllDeviceCount(int* counts) noexcept {
  if (counts == nullptr) return INFINI_STATUS_NULL_POINTER;
  std::fill_n(counts, static_cast<int>(INFINI_DEVICE_TYPE_COUNT), 0);
  counts[INFINI_DEVICE_CPU] = 1;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtGetDeviceCount(infiniDevice_t device, int* count) noexcept {
  if (count == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (device < 0 || device >= INFINI_DEVICE_TYPE_COUNT) return INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
  *count = device == INFINI_DEVICE_CPU ? 1 : 0;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtSetDevice(infiniDevice_t device, int device_id) noexcept {
  const bool known = device == INFINI_DEVICE_CPU;
  current = {known ? INFINI_STATUS_SUCCESS : INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED, known ? device_id : 0};
  return current.status;
}

infiniStatus_t infinirtGetDevice(infiniDevice_t* device, int* device_id) noexcept {
  if (device == nullptr && device_id == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (device != nullptr) *device = INFINI_DEVICE_CPU;
  if (device_id != nullptr) *device_id = current.device_id;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtDeviceSynchronize(void) noexcept { return current.status; }

infiniStatus_t infinirtMalloc(void** pointer, size_t size) noexcept {
  if (pointer == nullptr) return INFINI_STATUS_NULL_POINTER;
  *pointer = nullptr;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (size > PTRDIFF_MAX - alignment) return INFINI_STATUS_INTERNAL_ERROR;
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  *pointer = std::aligned_alloc(alignment, rounded);
  return *pointer != nullptr ? INFINI_STATUS_SUCCESS : INFINI_STATUS_INTERNAL_ERROR;
}

infiniStatus_t infinirtFree(void* pointer) noexcept {
  std::free(pointer);
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtMemcpy(void* dst, const void* src, size_t size, infinirtMemcpyKind_t kind) noexcept {
  if (size != 0 && (dst == nullptr || src == nullptr)) return INFINI_STATUS_NULL_POINTER;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (kind < INFINIRT_MEMCPY_H2H || kind > INFINIRT_MEMCPY_D2D) return INFINI_STATUS_BAD_PARAM;
  if (size != 0) std::memmove(dst, src, size);
  return INFINI_STATUS_SUCCESS;
}

}  // extern "C"
