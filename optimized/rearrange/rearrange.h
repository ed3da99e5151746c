// Copies the elements of one strided layout into another of the same dtype and shape, bit for bit: the work behind
// contiguous(), transpose, flip, slice and broadcast when the result must be materialised.
//
//     Plan plan;
//     if (make_plan({dtype, shape, to_strides}, {dtype, shape, from_strides}, plan) == Status::ok) {
//       execute(plan, destination, source);  // any number of times, on any thread, at any address
//     }
//
// Accepted: elements of any whole number of bytes, rank 0 to 64, extents of 0 and 1, more than 2^31 elements, any
// alignment; sources with any strides (negative, zero, overlapping); destinations with any axis order whose elements do
// not overlap. Shapes and strides count elements. A data pointer is the address of element (0, ..., 0): the caller adds
// byte_offset. The functions own and keep nothing that they are given.
//
// No function allocates on the heap, prints or throws. A large transpose uses up to 96 KiB of stack. Large copies run
// on threads that the library starts on first use and does not pin. The environment variables DLSPEC_ISA (scalar, sse2,
// avx2, avx512 or neon: the highest engine to use) and DLSPEC_THREADS (the maximum number of threads; default: the
// processors in the affinity mask of the process) are read once, as is DLSPEC_MACHINE, which overrides the sizes of
// caches to plan for; engines/settings.h says what they came to.
//
// Layout rules: DLTensor in dlpack.h (strides count elements; NULL strides mean row-major compact).
#pragma once

#include <cstdint>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/rearrange/plan/plan.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

struct Engine;   // row of the engine table, engines/engine.h
struct Machine;  // engines/machine.h

struct PlanOptions {
  const Engine* engine = nullptr;  // NULL: the best engine that the processor supports and DLSPEC_ISA allows
  int threads = 0;                 // maximum number of threads; 0: DLSPEC_THREADS
  // Payload in bytes from which copies use non-temporal stores. These are faster for copies larger than the cache, but
  // leave the result in memory: raise the bound if the result is read at once. Negative: the measured default.
  std::int64_t stream_from = -1;
  Methods methods = all_methods;     // those that may be chosen; if none of them applies, all may
  bool narrower = true;              // also consider the kernels of narrower engines
  const Machine* machine = nullptr;  // the processor to plan for; NULL: this one, or DLSPEC_MACHINE
  std::int64_t bytes_per_thread = std::int64_t{1} << 17;  // bytes of payload per thread
};

// Prepares the copy from any memory with the layout of `source` to any memory with the layout of `destination`. Takes 1
// to 2 us; polynomial in the rank. The plan holds no pointer to its arguments. On any other status than ok, executing
// the plan copies nothing. Returns the first status that applies:
//   bad_rank             a rank is above 64
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or more than 8 bits that are no multiple of 8
//   dtype_mismatch, shape_mismatch
// and, only if there are elements:
//   unsupported_dtype    the elements do not fill whole bytes
//   size_overflow        the number of elements or the byte span exceeds 2^63-1
//   destination_overlap  two indices of the destination share storage, or the search for that exceeds its budget
[[nodiscard]] Status make_plan(const View& destination, const View& source, Plan& plan,
                               const PlanOptions& options = {}) noexcept;

// Writes every source element to the same index of the destination and no other byte: gaps between elements keep their
// values. May read any byte between the first and the last source element, but no page that holds no element of the
// source. Writes nothing unless it returns ok:
//   null_pointer         a pointer is NULL although there are elements
//   size_overflow        the elements leave the address space
//   operands_overlap     source and destination share bytes and are not the same view. Decided exactly, but for layouts
//                        whose search exceeds BoundedSums::search_budget; views of one buffer take a few steps.
// A copy of a view onto itself does nothing. Thread-safe, also for one plan on several threads; nobody else may write
// the source or access the destination during the call.
[[nodiscard]] Status execute(const Plan& plan, void* destination, const void* source) noexcept;

// make_plan() and execute() in one call, for a copy that runs once. Returns the same statuses, but checks the memory
// before destination_overlap.
[[nodiscard]] Status rearrange(const View& destination, void* to, const View& source, const void* from) noexcept;

}  // namespace dlspec::optimized
