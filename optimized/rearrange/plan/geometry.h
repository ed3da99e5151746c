// What a rearrangement comes down to once everything that does not matter is taken out of the two layouts: a
// run of bytes that is copied as it is, and the axes along which the run is repeated. Plain arithmetic: no
// memory is touched and nothing here knows a processor, so that every backend can start from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

// Ranks up to this are taken.
inline constexpr std::size_t highest_rank = 64;

// `extent` repetitions; each lies `to` bytes behind the one before in the destination, `from` in the source.
struct Step {
  std::int64_t extent;
  std::int64_t to;
  std::int64_t from;
};

// Every axis has extent 2 or more and to > 0; `from` has any sign or is 0. The axes stand innermost first, by
// `to`. No axis continues the one before it on both sides, nor the run: what could be merged is merged.
// All sizes, steps and positions are in bytes. Only the first `rank` axes are meaningful.
struct Geometry {
  std::int64_t bytes;  // of all elements; 0: there is nothing to copy, and only the ranges are meaningful
  std::int64_t run;    // bytes copied together, at least one element
  ByteRange to_range;  // what the layouts reach, counted from element (0, ..., 0)
  ByteRange from_range;
  std::int64_t to_start;  // from element (0, ..., 0) to the first run
  std::int64_t from_start;
  bool same_places;  // every index has the same position on both sides
  std::size_t rank;
  Step axes[highest_rank];
};

// Fills `geometry`. Nothing is ever read through `data`. The first of these that holds is the answer:
//   bad_rank             a rank is above highest_rank
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or a width above 8 that is not a multiple of 8
//   dtype_mismatch, shape_mismatch
// then, unless there are no elements:
//   unsupported_dtype    elements do not fill whole bytes (packed lanes narrower than a byte)
//   size_overflow        elements, or the bytes from the first to the last, exceed 2^63-1
[[nodiscard]] Status normalise(const View& destination, const View& source, Geometry& geometry) noexcept;

// Status::destination_overlap when two indices of the destination share storage, or when that takes too long to
// find out (axes that interleave in a way no slice or permutation of a compact tensor does). `destination` is
// the view that the geometry was made of. `geometry` is that of an answer ok with elements.
[[nodiscard]] Status check_destination(const View& destination, const Geometry& geometry) noexcept;

// Status::operands_overlap when a byte of the destination is one of the source's too, or when that takes too
// long to find out; not when both are the same view. Interleaved operands that share no byte are fine.
[[nodiscard]] Status check_operands(const Geometry& geometry, std::uintptr_t destination,
                                    std::uintptr_t source) noexcept;

}  // namespace dlspec::optimized
