// Small arithmetic of the planner, which takes nothing from the standard library's code.
#pragma once

#include <cstdint>

namespace dlspec::optimized {

// The number is above INT64_MIN.
[[nodiscard]] constexpr std::int64_t magnitude(std::int64_t number) { return number < 0 ? -number : number; }
[[nodiscard]] constexpr std::int64_t lesser(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
[[nodiscard]] constexpr std::int64_t greater(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

// How many blocks of at most so many items.
[[nodiscard]] constexpr std::int64_t in_blocks(std::int64_t items, std::int64_t most) {
  return items / most + (items % most != 0 ? 1 : 0);
}

// The same size for all blocks, give or take one item: not above `most`, and as many blocks as are a multiple of
// `parts`.
[[nodiscard]] constexpr std::int64_t evenly(std::int64_t extent, std::int64_t most, std::int64_t parts) {
  if (extent <= most && parts == 1) return most;
  return in_blocks(extent, in_blocks(in_blocks(extent, most), parts) * parts);
}

// Of the blocks of a loop with these steps, how far apart they lie on the side where they lie closer: the lesser, the
// further inside the loop belongs.
[[nodiscard]] constexpr std::int64_t closeness(std::int64_t to, std::int64_t from) {
  return from == 0 ? to : lesser(to, magnitude(from));
}

}  // namespace dlspec::optimized
