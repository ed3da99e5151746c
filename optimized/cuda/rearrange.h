// Copies the elements of one strided layout into another on a GPU: rearrange/rearrange.h for device memory.
//
//     Rearrangement copy;
//     if (cuda::make_plan({dtype, shape, to_strides}, {dtype, shape, from_strides}, copy) == Status::ok) {
//       cuda::execute(copy, destination, source, stream);  // any number of times, on any thread and device
//     }
//
// Planning needs neither a GPU nor CUDA. Executing needs libdlspec_cuda.so (library.h) and a GPU. The functions own and
// keep nothing that they are given; none allocates, prints, throws or waits for the GPU.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/library_table.h>
#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized::cuda {

// A planned copy. Immutable once made, fixed size, no pointers: copy and keep it freely, execute it on many threads.
struct Rearrangement {
  Geometry geometry;
  CudaPlan plan;  // for addresses that are multiples of 16
};

// Returns the statuses of optimized::make_plan(), in the same order; also size_overflow for a span above 2^60 bytes. On
// any other status than ok, executing the plan copies nothing.
[[nodiscard]] Status make_plan(const View& destination, const View& source, Rearrangement& copy) noexcept;

// Checks the memory of one execution and selects its plan: that of the copy, or one in `other` for addresses that allow
// only narrower accesses. `plan` is NULL if there is nothing to do. Both addresses are those of element (0, ..., 0).
//   null_pointer, size_overflow, operands_overlap: as optimized::execute()
[[nodiscard]] Status select_plan(const Rearrangement& copy, std::uintptr_t destination, std::uintptr_t source,
                                 CudaPlan& other, const CudaPlan*& plan) noexcept;

// How an execution ended. Errors inside a kernel show at the next synchronisation, as for all of CUDA.
enum class Launch : std::uint8_t {
  ok,
  refused,             // `status` says why
  no_library,          // libdlspec_cuda.so is missing or of another version
  no_device,           // no driver or no GPU
  not_device_memory,   // an address that the GPU cannot access
  wrong_architecture,  // the library has no kernel for this GPU
  failed,              // anything else that CUDA reports
};
struct Outcome {
  Launch launch = Launch::ok;
  Status status = Status::ok;
};

// Enqueues the copy on `stream` (a cudaStream_t; NULL: the default stream) of the calling thread's current device, and
// returns without waiting. Pinned and managed memory is accepted. Refused, in this order: what select_plan() refuses,
// and addresses of host memory that the GPU cannot access.
[[nodiscard]] Outcome execute(const Rearrangement& copy, void* destination, const void* source, void* stream) noexcept;

// The same with the functions of this library; NULL: it is missing.
[[nodiscard]] Outcome execute_with(const LibraryTable* table, const Rearrangement& copy, void* destination,
                                   const void* source, void* stream) noexcept;

}  // namespace dlspec::optimized::cuda
