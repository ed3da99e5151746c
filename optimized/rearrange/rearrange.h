// Copies between two strided layouts of one dtype and shape, bit by bit unchanged, at memory speed: what is
// under every contiguous(), transpose, flip, slice and broadcast that has to be materialised.
//
//   Plan plan;
//   if (make_plan({dtype, shape, to_strides}, {dtype, shape, from_strides}, plan) == Status::ok) {
//     execute(plan, destination, source);  // as often as wanted, from any thread, at other addresses too
//   }
//
// Everything legal is taken: elements of any number of whole bytes, rank 0 to 64, any strides of the source
// (negative, zero, overlapping), a destination in any order whose elements do not overlap, extents of 0 and 1,
// addresses of any alignment, more than 2^31 elements. Shapes and strides count elements; data pointers are
// those of element (0, ..., 0), with byte_offset added. Nothing is owned, nothing is kept.
//
// No function allocates, prints or throws. Large transposes take up to 96 KiB of the stack. Large copies are shared
// with threads that the library starts when it first needs them, and that may run wherever the program may. The
// environment variables DLSPEC_ISA (scalar, sse2, avx2, avx512, neon: the highest level to use) and DLSPEC_THREADS (the
// most threads to use; default: the processors that the process may run on) are read once.
#pragma once

#include <cstdint>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/rearrange/plan/plan.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

struct Engine;  // a row of the engine table, engines/engine.h

struct PlanOptions {
  const Engine* engine = nullptr;  // NULL: the best that the processor has and DLSPEC_ISA allows
  int threads = 0;                 // most threads; 0: what DLSPEC_THREADS says
  // From how many bytes of payload on stores go past the caches, which is faster by itself but leaves the copy in
  // memory: raise it when the copy is read at once. Negative: from the size where it pays on this machine.
  std::int64_t stream_from = -1;
  bool programs = true;                                   // byte programs may be worked out, which takes a microsecond
  std::int64_t bytes_per_thread = std::int64_t{1} << 17;  // a thread more for every so many bytes of payload
};

// Prepares the copy from any memory with `source`'s layout into any with `destination`'s. In a microsecond or
// two, in time polynomial in the rank. Unless the answer is ok the plan copies nothing.
// The first of these that holds is the answer:
//   bad_rank             a rank is above 64
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or a width above 8 that is not a multiple of 8
//   dtype_mismatch, shape_mismatch
// and of those, unless there are no elements:
//   unsupported_dtype    the elements do not fill whole bytes
//   size_overflow        elements, or the bytes from the first to the last, exceed 2^63-1
//   destination_overlap  two indices of the destination share storage, or it takes too long to tell
[[nodiscard]] Status make_plan(const View& destination, const View& source, Plan& plan,
                               const PlanOptions& options = {}) noexcept;

// Writes every element of the source to the same index of the destination, and no other byte: gaps between
// elements keep their value. Of the source, bytes between its first and its last element may be read, but never a
// page on which it has no element. Nothing is written unless the answer is ok:
//   null_pointer         a pointer is NULL although there are elements
//   size_overflow        the elements leave the address space
//   operands_overlap     source and destination share bytes and are not the same view, or it takes too long to tell
// A copy onto itself does nothing. Safe from several threads at a time, also of one plan; the caller sees to it
// that nobody writes the source or touches the destination meanwhile.
[[nodiscard]] Status execute(const Plan& plan, void* destination, const void* source) noexcept;

// Both in one, for copies that are done once. Answers in the order of make_plan and execute, but that memory is
// judged before destination_overlap.
[[nodiscard]] Status rearrange(const View& destination, void* to, const View& source, const void* from) noexcept;

}  // namespace dlspec::optimized
