// The canonical layout of a copy: a contiguous run of bytes and the axes that repeat it. Normalising drops axes of
// extent 1, the direction and order of axes, and coalesces axes that continue each other. Plain arithmetic that touches
// no memory and depends on no processor: every engine starts from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

// Maximum rank of either operand.
inline constexpr std::size_t max_rank = 64;

// One axis of the copy. `to` and `from` are the byte strides of the destination and the source.
struct Axis {
  std::int64_t extent;
  std::int64_t to;
  std::int64_t from;
};

// Every axis has extent >= 2 and to > 0; `from` has any sign or is 0 (broadcast axis). Axes are sorted by `to`,
// innermost first. No axis continues the previous one or the run on both sides: such axes are coalesced. All sizes,
// strides and offsets are in bytes. Only the first `rank` axes are valid.
struct Geometry {
  std::int64_t bytes;  // of all elements; 0: nothing to copy, and only the ranges are valid
  std::int64_t run;    // contiguous bytes, at least one element
  ByteRange to_range;  // byte span of the layout, relative to element (0, ..., 0)
  ByteRange from_range;
  std::int64_t to_start;  // from element (0, ..., 0) to the first run
  std::int64_t from_start;
  bool same_layout;  // source and destination have the same byte offset for every index
  std::size_t rank;
  Axis axes[max_rank];
};

// Fills `geometry`; never reads through `data`. Returns the first status that applies:
//   bad_rank             a rank is above max_rank
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or more than 8 bits that are no multiple of 8
//   dtype_mismatch, shape_mismatch
// and, only if there are elements:
//   unsupported_dtype    elements do not fill whole bytes (sub-byte elements that are packed)
//   size_overflow        the number of elements or the byte span exceeds 2^63-1
[[nodiscard]] Status normalise(const View& destination, const View& source, Geometry& geometry) noexcept;

// Status::destination_overlap if two indices of the destination share storage, or if the search exceeds its budget
// (interleaved axes that no slice or permutation of a compact tensor has). `destination` is the view that `geometry`
// was made from; normalise() returned ok and there are elements.
[[nodiscard]] Status check_destination(const View& destination, const Geometry& geometry) noexcept;

// Status::operands_overlap if the operands share a byte, or if the search exceeds its budget (bounded_sums.h); ok if
// both are the same view. Interleaved operands that share no byte are ok. Views of one buffer are decided in under a
// microsecond, whatever their size.
[[nodiscard]] Status check_operands(const Geometry& geometry, std::uintptr_t destination,
                                    std::uintptr_t source) noexcept;

}  // namespace dlspec::optimized
