// libdlspec_cuda.so: the table of library_table.h on the CUDA runtime.
#include <cuda_runtime_api.h>

#include <dlspec/optimized/cuda/launch/launch.h>
#include <dlspec/optimized/cuda/schedule/library_table.h>

namespace dlspec::optimized::cuda {
namespace {

// What a status of CUDA means for the caller. Statuses without a driver come from every call.
Answer answer_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return answer_ok;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorInitializationError:
    case cudaErrorInvalidDevice: return answer_no_device;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion: return answer_wrong_architecture;
    case cudaErrorMemoryAllocation: return answer_no_memory;
    default: return answer_failed;
  }
}

// Takes back the error that the runtime remembers for the next caller of cudaGetLastError.
Answer settled(cudaError_t error) {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
  return answer_of(error);
}

Answer count_devices(int* count) {
  // CUDA leaves the number unwritten when it fails.
  *count = 0;
  int found = 0;
  const Answer answer = settled(cudaGetDeviceCount(&found));
  if (answer == answer_ok) *count = found;
  return answer == answer_ok && found == 0 ? answer_no_device : answer;
}

Answer set_device(int device) { return settled(cudaSetDevice(device)); }
Answer synchronize() { return settled(cudaDeviceSynchronize()); }
Answer allocate(void** pointer, std::size_t bytes) {
  *pointer = nullptr;
  return settled(cudaMalloc(pointer, bytes == 0 ? 1 : bytes));
}
Answer release(void* pointer) { return settled(cudaFree(pointer)); }
Answer copy(void* to, const void* from, std::size_t bytes) {
  cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
  // Copies within a device return before they are done.
  if (error == cudaSuccess) error = cudaStreamSynchronize(nullptr);
  return settled(error);
}

Answer enqueue_copy(void* to, const void* from, std::size_t bytes, void* stream) {
  return settled(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)));
}

Answer memory_of(const void* pointer, MemoryKind* kind) {
  *kind = MemoryKind::pageable;
  cudaPointerAttributes attributes;
  const Answer answer = settled(cudaPointerGetAttributes(&attributes, pointer));
  if (answer != answer_ok) return answer;
  // Pinned memory that is not mapped has no address on the device.
  const bool is_mapped = attributes.devicePointer != nullptr;
  if (attributes.type == cudaMemoryTypeHost && is_mapped) *kind = MemoryKind::pinned;
  if (attributes.type == cudaMemoryTypeDevice) *kind = MemoryKind::device;
  if (attributes.type == cudaMemoryTypeManaged) *kind = MemoryKind::managed;
  return answer;
}

// What is_launchable() of the scheduler asks, for callers that bring a plan of their own.
bool is_launchable(const CudaPlan& plan) {
  constexpr std::int64_t max_grid = 0x7FFFFFFF;
  return plan.threads >= 32 && plan.threads <= max_threads && plan.threads % 32 == 0 && plan.blocks >= 1 &&
         (plan.wide != 0 || plan.blocks <= max_grid) && plan.shared_bytes <= max_shared_bytes;
}

Answer launch(const CudaPlan* plan, void* to, const void* from, void* stream) {
  if (!is_launchable(*plan)) return answer_bad_plan;
  const auto enqueue = plan->wide != 0 ? enqueue_wide : enqueue_narrow;
  const cudaError_t error = enqueue(*plan, static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from),
                                    static_cast<cudaStream_t>(stream));
  return error == cudaErrorInvalidConfiguration ? answer_bad_plan : settled(error);
}

constexpr LibraryTable table{table_version, sizeof(CudaPlan), count_devices, set_device, synchronize, allocate, release,
                             copy,          enqueue_copy,     launch,        memory_of};

}  // namespace
}  // namespace dlspec::optimized::cuda

extern "C" __attribute__((visibility("default"))) const dlspec::optimized::cuda::LibraryTable* dlspecCudaTable() {
  return &dlspec::optimized::cuda::table;
}
