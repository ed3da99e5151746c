// Whether elements of a layout, or the memory of two layouts, lie on top of each other.
#pragma once

#include <cstdint>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/view.h>

namespace dlspec::optimized {

// `maybe`: the question is NP-hard in general, and the search was cut off.
enum class Answer : std::uint8_t { no, yes, maybe };

// Do two different indices name the same element? `no` at once for slices and permutations of
// compact tensors, `yes` at once for broadcasts. What is left is searched, at most 4096 steps: enough
// for every layout of two axes and in practice for all that arise from views. `maybe` also for ranks above
// 64, negative extents and sizes beyond 63 bits.
[[nodiscard]] Answer self_overlap(const View& view) noexcept;

// Do the byte ranges of two layouts at these addresses (of element (0, ..., 0)) meet? False when one
// of them has no elements. Two interleaved layouts can meet in range without sharing a byte.
[[nodiscard]] bool ranges_meet(std::uintptr_t a, const ByteRange& range_a, std::uintptr_t b,
                               const ByteRange& range_b) noexcept;

}  // namespace dlspec::optimized
