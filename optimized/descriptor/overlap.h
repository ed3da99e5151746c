// Do the elements of a layout, or the memory of two layouts, overlap? Pure functions: any thread, no allocation.
#pragma once

#include <cstdint>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/view.h>

namespace dlspec::optimized {

// `maybe`: the question is NP-hard in general, and the search exceeded its budget.
enum class Answer : std::uint8_t { no, yes, maybe };

// Do two different indices refer to the same storage? `no` at once for slices and permutations of compact tensors,
// `yes` at once for broadcasts. Otherwise a search of at most 4096 steps: enough for every layout of two axes, and in
// practice for all that views produce. `maybe` also for ranks above 64, negative extents and sizes that overflow int64.
[[nodiscard]] Answer self_overlap(const View& view) noexcept;

// Do two byte ranges at these addresses (of element (0, ..., 0)) intersect? False if one is empty. Interleaved layouts
// can intersect in range without sharing a byte.
[[nodiscard]] bool ranges_meet(std::uintptr_t a, const ByteRange& range_a, std::uintptr_t b,
                               const ByteRange& range_b) noexcept;

}  // namespace dlspec::optimized
