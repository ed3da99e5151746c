// The windows of a byte shuffle: the vectors that a tile touches in one operand, and the bytes that it uses of each.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// `count` bits from `first` on: 1 <= count, first + count <= 64.
[[nodiscard]] inline std::uint64_t bits_of(std::int64_t first, std::int64_t count) {
  return (~std::uint64_t{0} >> (static_cast<std::int64_t>(window_width) - count)) << first;
}

// The window that holds the byte at `offset`, added if there is none; max_windows if there are too many. Searches the
// newest first: these are the likeliest.
[[nodiscard]] inline std::size_t window_of(Window* windows, std::size_t& count, std::int64_t offset) {
  for (std::size_t i = count; i-- > 0;) {
    if (static_cast<std::uint64_t>(offset - windows[i].offset) < window_width) return i;
  }
  if (count == max_windows) return max_windows;
  windows[count] = {offset, 0, 0};
  return count++;
}

// Adds the windows of `extents` elements of each axis, in the destination (`to`) or the source, and sets their bits in
// `marks`. False if there are too many.
[[nodiscard]] bool find_windows_of(const Geometry& geometry, const std::int64_t* extents, bool to, Window* windows,
                                   std::size_t& count, std::uint64_t Window::* marks) noexcept;

}  // namespace dlspec::optimized
