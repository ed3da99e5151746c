#include <dlspec/infiniop/infinirt.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <dlspec/optimized/cuda/library.h>

namespace {

using namespace dlspec::optimized::cuda;  // NOLINT: the C functions below are in no namespace

// The current device of this thread.
struct Current {
  infiniStatus_t status = INFINI_STATUS_SUCCESS;  // if it is an error: no device is current
  infiniDevice_t device = INFINI_DEVICE_CPU;
  int device_id = 0;

  [[nodiscard]] bool is_gpu() const { return device == INFINI_DEVICE_NVIDIA; }
};
thread_local Current current;

// Whether any thread has had a GPU: only then can memory be a GPU's.
std::atomic<bool> has_had_gpu = false;

constexpr std::size_t alignment = 256;  // DLPack requires it

infiniStatus_t status_of(Answer answer) {
  switch (answer) {
    case answer_ok: return INFINI_STATUS_SUCCESS;
    case answer_no_device: return INFINI_STATUS_DEVICE_NOT_FOUND;
    case answer_wrong_architecture: return INFINI_STATUS_DEVICE_ARCHITECTURE_NOT_SUPPORTED;
    default: return INFINI_STATUS_INTERNAL_ERROR;
  }
}

// GPUs; 0 without the library or a driver.
int count_gpus() {
  int count = 0;
  const LibraryTable* const table = library();
  if (table != nullptr && table->count_devices(&count) != answer_ok) count = 0;
  return count;
}

infiniStatus_t set_gpu(int device_id) {
  const LibraryTable* const table = library();
  if (table == nullptr) return INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
  if (device_id < 0 || device_id >= count_gpus()) return INFINI_STATUS_DEVICE_NOT_FOUND;
  const infiniStatus_t status = status_of(table->set_device(device_id));
  if (status == INFINI_STATUS_SUCCESS) has_had_gpu = true;
  return status;
}

infiniStatus_t status_of_device(infiniDevice_t device, int device_id) {
  if (device == INFINI_DEVICE_CPU) return INFINI_STATUS_SUCCESS;
  return device == INFINI_DEVICE_NVIDIA ? set_gpu(device_id) : INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
}

bool is_gpu_memory(const void* pointer) {
  if (!has_had_gpu) return false;
  MemoryKind kind = MemoryKind::pageable;
  const Answer answer = library()->memory_of(pointer, &kind);
  return answer == answer_ok && (kind == MemoryKind::device || kind == MemoryKind::managed);
}

}  // namespace

extern "C" {

infiniStatus_t infinirtInit(void) noexcept { return INFINI_STATUS_SUCCESS; }

infiniStatus_t infinirtGetAllDeviceCount(int* counts) noexcept {
  if (counts == nullptr) return INFINI_STATUS_NULL_POINTER;
  std::fill_n(counts, static_cast<int>(INFINI_DEVICE_TYPE_COUNT), 0);
  counts[INFINI_DEVICE_CPU] = 1;
  counts[INFINI_DEVICE_NVIDIA] = count_gpus();
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtGetDeviceCount(infiniDevice_t device, int* count) noexcept {
  if (count == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (device < 0 || device >= INFINI_DEVICE_TYPE_COUNT) return INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
  *count = device == INFINI_DEVICE_CPU ? 1 : device == INFINI_DEVICE_NVIDIA ? count_gpus() : 0;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtSetDevice(infiniDevice_t device, int device_id) noexcept {
  const infiniStatus_t status = status_of_device(device, device_id);
  const bool known = status == INFINI_STATUS_SUCCESS;
  current = {status, known ? device : INFINI_DEVICE_CPU, known ? device_id : 0};
  return status;
}

infiniStatus_t infinirtGetDevice(infiniDevice_t* device, int* device_id) noexcept {
  if (device == nullptr && device_id == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (device != nullptr) *device = current.device;
  if (device_id != nullptr) *device_id = current.device_id;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtDeviceSynchronize(void) noexcept {
  if (current.status != INFINI_STATUS_SUCCESS || !current.is_gpu()) return current.status;
  return status_of(library()->synchronize());
}

infiniStatus_t infinirtMalloc(void** pointer, size_t size) noexcept {
  if (pointer == nullptr) return INFINI_STATUS_NULL_POINTER;
  *pointer = nullptr;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (current.is_gpu()) return status_of(library()->allocate(pointer, size));
  if (size > PTRDIFF_MAX - alignment) return INFINI_STATUS_INTERNAL_ERROR;
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  *pointer = std::aligned_alloc(alignment, rounded);
  return *pointer != nullptr ? INFINI_STATUS_SUCCESS : INFINI_STATUS_INTERNAL_ERROR;
}

infiniStatus_t infinirtFree(void* pointer) noexcept {
  if (pointer != nullptr && is_gpu_memory(pointer)) return status_of(library()->release(pointer));
  std::free(pointer);
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infinirtMemcpy(void* dst, const void* src, size_t size, infinirtMemcpyKind_t kind) noexcept {
  if (size != 0 && (dst == nullptr || src == nullptr)) return INFINI_STATUS_NULL_POINTER;
  if (current.status != INFINI_STATUS_SUCCESS) return current.status;
  if (kind < INFINIRT_MEMCPY_H2H || kind > INFINIRT_MEMCPY_D2D) return INFINI_STATUS_BAD_PARAM;
  if (size == 0) return INFINI_STATUS_SUCCESS;
  if (current.is_gpu() && kind != INFINIRT_MEMCPY_H2H) return status_of(library()->copy(dst, src, size));
  std::memmove(dst, src, size);
  return INFINI_STATUS_SUCCESS;
}

}  // extern "C"
