// Integer helpers of the planner, without code from the standard library.
#pragma once

#include <cstdint>

namespace dlspec::optimized {

// Absolute value; `number` is above INT64_MIN.
[[nodiscard]] constexpr std::int64_t magnitude(std::int64_t number) { return number < 0 ? -number : number; }
[[nodiscard]] constexpr std::int64_t min(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
[[nodiscard]] constexpr std::int64_t max(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

// Number of blocks of at most `divisor` elements.
[[nodiscard]] constexpr std::int64_t div_round_up(std::int64_t count, std::int64_t divisor) {
  return count / divisor + (count % divisor != 0 ? 1 : 0);
}

// Block size of at most `max_block` for which all blocks have the same size, give or take one element, and the number
// of blocks is a multiple of `parts`.
[[nodiscard]] constexpr std::int64_t balanced_block(std::int64_t extent, std::int64_t max_block, std::int64_t parts) {
  if (extent <= max_block && parts == 1) return max_block;
  return div_round_up(extent, div_round_up(div_round_up(extent, max_block), parts) * parts);
}

// The smaller byte stride of a loop, ignoring a broadcast: loops with a smaller one belong further inside.
[[nodiscard]] constexpr std::int64_t min_stride(std::int64_t to, std::int64_t from) {
  return from == 0 ? to : min(to, magnitude(from));
}

}  // namespace dlspec::optimized
