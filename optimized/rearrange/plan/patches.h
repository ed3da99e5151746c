// Items of a byte program's cell that lie close to each other on both sides, so that mostly the same two windows have
// them all: what a program's moves are found from. Offsets and steps in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {

// How far from the first item the lowest and the highest are on one side, and which bytes, from the lowest on, all of
// them are (0: more than a window has).
struct Side {
  std::int64_t low, high;
  std::uint64_t bytes;

  // Has the window that the first item is in, at this place, all others? `last`: the last place where an item fits.
  [[nodiscard]] bool fits(std::int64_t place, std::int64_t last) const {
    return static_cast<std::uint64_t>(place + low) <= static_cast<std::uint64_t>(last) &&
           static_cast<std::uint64_t>(place + high) <= static_cast<std::uint64_t>(last);
  }
  // Which bytes of the window these are.
  [[nodiscard]] std::uint64_t at(std::int64_t place) const { return bytes << (place + low); }
};

// Rows one behind the other.
struct Patch {
  Step row;
  Step rows;
  Side to, from;
};

struct Patches {
  std::size_t row_axis;   // highest_rank: a row is an item
  std::size_t rows_axis;  // highest_rank: a patch is a row
  Patch row;
  Patch patch;
};

// These bytes so many times, all in one window, from the lowest on.
[[nodiscard]] inline std::uint64_t comb(std::uint64_t bytes, std::int64_t step, std::int64_t count) {
  if (count == 1) return bytes;
  step = magnitude(step);
  std::int64_t have = 1;
  for (; 2 * have <= count; have *= 2) bytes |= bytes << have * step;
  return bytes | bytes << (count - have) * step;
}

// Of `items` items of each axis. Rows go along the axis that has most of them in one window on either side; a patch's
// along the closest of the others with which they still fit one.
void find_patches(const Geometry& geometry, const std::int64_t* items, Patches& patches) noexcept;

}  // namespace dlspec::optimized
