// The windows of a byte program: which vectors a cell touches on one side, and which of their bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/program.h>

namespace dlspec::optimized {

// `count` bits from `first` on: 1 <= count, first + count <= 64.
[[nodiscard]] inline std::uint64_t bits_of(std::int64_t first, std::int64_t count) {
  return (~std::uint64_t{0} >> (static_cast<std::int64_t>(program_width) - count)) << first;
}

// The window that has the byte at `offset`, made if there is none; most_windows when there are too many. The
// newest are the likeliest.
[[nodiscard]] inline std::size_t window_of(Window* windows, std::size_t& count, std::int64_t offset) {
  for (std::size_t i = count; i-- > 0;) {
    if (static_cast<std::uint64_t>(offset - windows[i].offset) < program_width) return i;
  }
  if (count == most_windows) return most_windows;
  windows[count] = {offset, 0, 0};
  return count++;
}

// Adds the windows of `items` items of each axis, on the destination's side (`to`) or the source's, and marks what
// belongs to these in `marks`. False when there are too many.
[[nodiscard]] bool find_windows_of(const Geometry& geometry, const std::int64_t* items, bool to, Window* windows,
                                   std::size_t& count, std::uint64_t Window::* marks) noexcept;

}  // namespace dlspec::optimized
