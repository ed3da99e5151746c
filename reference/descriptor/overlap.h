// Whether two indices of a layout, or two layouts, share storage.
//
// Strides count whole elements, so two indices of one layout share storage exactly when they have the same element
// position. Packed sub-byte elements in one byte have different positions and do not overlap.
//
// The general question is as hard as the subset-sum problem. Proofs are tried first; where none decides, small layouts
// are decided by visiting every index, and for large ones the result is `unknown`. No function throws, except
// std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

enum class Overlap : unsigned char { no, yes, unknown };

// Where no proof decides, up to this number of indices are visited.
inline constexpr std::size_t default_enumeration_limit = std::size_t{1} << 16;

// Whether two different indices have the same element. `no` for layouts with fewer than two elements.
[[nodiscard]] Overlap self_overlap(const Axes& axes, std::size_t enumeration_limit = default_enumeration_limit);

// The same by proof alone: visits no index, and may be `unknown`.
[[nodiscard]] Overlap self_overlap_by_proof(const Axes& axes);

// The same by visiting every index, for layouts that span less than 2^63 elements and have few.
[[nodiscard]] bool self_overlap_by_enumeration(const Axes& axes);

// A layout placed in memory: `start` is the bit at which element (0, ..., 0) begins, counted from
// an origin that both layouts have in common. Each element has `width` bits.
struct Placed {
  Axes axes;
  Wide start;
  std::uint32_t width;
};

// Whether an element of one shares a bit with an element of the other.
[[nodiscard]] Overlap mutual_overlap(const Placed& a, const Placed& b,
                                     std::size_t enumeration_limit = default_enumeration_limit);
[[nodiscard]] Overlap mutual_overlap_by_proof(const Placed& a, const Placed& b);
// For layouts whose positions in bits fit in 63 bits and that have few elements.
[[nodiscard]] bool mutual_overlap_by_enumeration(const Placed& a, const Placed& b);

// Whether every index has the same bits in both: equal shape, start and width, and equal strides on every axis of an
// extent above 1. Layouts without elements are the same view when their shapes are equal.
[[nodiscard]] bool same_view(const Placed& a, const Placed& b);

}  // namespace dlspec::reference
