// The C interface of libdlspec_cuda.so: one function, which returns a table. Both sides of it are built from this
// header; the version changes with the table and with CudaPlan.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// What a function of the library returns.
using Answer = std::int32_t;
inline constexpr Answer answer_ok = 0;
inline constexpr Answer answer_no_device = 1;           // no driver, no GPU, or no GPU of this number
inline constexpr Answer answer_wrong_architecture = 2;  // no kernel for this GPU
inline constexpr Answer answer_bad_plan = 3;            // not one of schedule()
inline constexpr Answer answer_no_memory = 4;
inline constexpr Answer answer_failed = 5;  // anything else that CUDA reports

// Version 1 of the table, and the size of CudaPlan that both sides were built with.
inline constexpr std::uint32_t table_version = 1;

enum class MemoryKind : std::int32_t {
  pageable,  // host memory that CUDA did not allocate or register
  pinned,    // host memory that the GPU can access
  device,
  managed,
};

extern "C" {

// No function prints, aborts or throws; all are thread-safe. Those without a device act on the calling thread's current
// one. Streams are cudaStream_t, NULL for the default stream.
struct LibraryTable {
  std::uint32_t version;
  std::uint32_t plan_bytes;

  // Number of GPUs; 0 without a driver.
  Answer (*count_devices)(int* count);
  Answer (*set_device)(int device);
  // Waits for all work of the current device.
  Answer (*synchronize)();
  // At least 1 byte, aligned to 256 bytes.
  Answer (*allocate)(void** pointer, std::size_t bytes);
  Answer (*release)(void* pointer);
  // Complete on return, also within a device; the direction follows from the addresses.
  Answer (*copy)(void* to, const void* from, std::size_t bytes);
  // Enqueues a copy within the device: what kernels are measured against.
  Answer (*enqueue_copy)(void* to, const void* from, std::size_t bytes, void* stream);
  // Enqueues the plan's kernel. Addresses are those of the first runs and as aligned as the plan requires.
  Answer (*launch)(const CudaPlan* plan, void* to, const void* from, void* stream);
  // What memory an address belongs to, as far as CUDA knows it.
  Answer (*memory_of)(const void* pointer, MemoryKind* kind);
};

// The one exported symbol, "dlspecCudaTable": a table with static storage.
using GetTable = const LibraryTable* (*)();

}  // extern "C"

}  // namespace dlspec::optimized::cuda
