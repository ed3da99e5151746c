// Groups of elements that are close together in both operands, so that one pair of windows usually holds them all. The
// steps of a byte shuffle are built group by group. Offsets and strides in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// The extent of a group in one operand: offsets of its lowest and highest element from the first, and the mask of its
// bytes from the lowest on (0: it does not fit a window).
struct GroupSpan {
  std::int64_t low, high;
  std::uint64_t mask;

  // True if all elements are in the window that holds the first one at `offset`. `last` is the last offset at which an
  // element fits.
  [[nodiscard]] bool fits(std::int64_t offset, std::int64_t last) const {
    return static_cast<std::uint64_t>(offset + low) <= static_cast<std::uint64_t>(last) &&
           static_cast<std::uint64_t>(offset + high) <= static_cast<std::uint64_t>(last);
  }
  // The group's bytes in that window.
  [[nodiscard]] std::uint64_t mask_at(std::int64_t offset) const { return mask << (offset + low); }
};

// A row of elements, and rows of these.
struct ElementGroup {
  Axis row;
  Axis rows;
  GroupSpan to, from;
};

struct ElementGroups {
  std::size_t row_axis;   // max_rank: a row is one element
  std::size_t rows_axis;  // max_rank: a group is one row
  ElementGroup row;
  ElementGroup group;
};

// `bytes`, repeated `count` times within one window, the lowest first.
[[nodiscard]] inline std::uint64_t repeat_mask(std::uint64_t bytes, std::int64_t stride, std::int64_t count) {
  if (count == 1) return bytes;
  stride = magnitude(stride);
  std::int64_t have = 1;
  for (; 2 * have <= count; have *= 2) bytes |= bytes << have * stride;
  return bytes | bytes << (count - have) * stride;
}

// Groups for `extents` elements of each axis. Rows run along the axis with most elements per window on both sides;
// groups extend along the smallest-stride axis among the others that still fits a window.
void find_element_groups(const Geometry& geometry, const std::int64_t* extents, ElementGroups& groups) noexcept;

}  // namespace dlspec::optimized
