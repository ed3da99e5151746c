// Byte programs for vectors whose bytes are permuted within lanes of 16 only, and that are stored without masks (AVX2,
// NEON). Each lane of a destination vector is put together from the few places of the source where 16 bytes have some
// of its own: load, shuffle, merge. No byte is read outside of what the cell spans in the source, none is written that
// is not the cell's, so that there is nothing to be careful about at the ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/make_program.h>

namespace dlspec::optimized {

inline constexpr std::int64_t lane_width = 16;    // bytes
inline constexpr std::int64_t most_lanes = 2;     // of a vector
inline constexpr std::size_t most_shuffled = 32;  // vectors of a cell
inline constexpr std::size_t most_steps = 8;      // of a vector: places that are read for it
inline constexpr std::size_t most_shuffles = 64;  // steps of a cell

// Vector v has the steps first[v] to first[v + 1] - 1. Its lane l goes to to[v][l]; a step's comes from the 16 bytes at
// from[step][l], byte i from byte control[step][16 * l + i] of them, or from none if that is 128.
struct Shuffles {
  std::size_t vectors = 0;
  // Behind the last whole cell the axis may go on for less than a cell. Then one more cell is done, which ends where
  // the axis ends and begins so much behind the last: the bytes that both have are written twice.
  std::int64_t rest_to = 0;
  std::int64_t rest_from = 0;
  std::size_t first[most_shuffled + 1];
  std::int64_t to[most_shuffled][most_lanes];
  std::int64_t from[most_shuffles][most_lanes];
  std::uint8_t control[most_shuffles][most_lanes * lane_width];
};

// Of a program that was made of this geometry, for vectors of so many bytes. False when that does not pay or does not
// fit: rows of the destination, or what there is around a byte of the source, shorter than a lane; bytes from too many
// places.
[[nodiscard]] bool make_shuffles(const Geometry& geometry, const Cell& cell, const Program& program, std::int64_t width,
                                 Shuffles& shuffles) noexcept;

}  // namespace dlspec::optimized
