// Indexed transposes: transposes whose rows and columns each span several short axes. The offsets of a tile's rows come
// from tables, as in a gather: one for the source rows, one for the destination rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

inline constexpr std::int64_t max_tile_rows =
    64;  // elements: a 64-byte vector of bytes, or several tiles of larger elements

// Each side of a tile consists of whole axes (`inner` elements) and, outside these, of n elements of one split axis: n
// * inner in all. Element i of a destination row comes from the source row at from[i]; row j of the destination, which
// comes from element j of a source row, is at to[j].
struct TileOffsets {
  std::int64_t inner_a = 1;
  std::int64_t inner_b = 1;
  std::int64_t from_start = 0;  // from the first run of a tile to the lowest source address
  std::int64_t to_start = 0;
  std::int64_t from[max_tile_rows];
  std::int64_t to[max_tile_rows];
};

// The axes that a tile holds whole, and those that it splits (max_rank: none) with the number of their elements.
struct TileAxes {
  std::uint64_t whole = 0;
  std::size_t axis_a = max_rank;
  std::size_t axis_b = max_rank;
  std::int64_t extent_a = 1;
  std::int64_t extent_b = 1;
};

// Makes tiles of at most `max_rows` rows and columns, from whole axes only unless it `may_split` one on each side.
// False if an axis would be on both sides, or none on one.
[[nodiscard]] bool make_tile_offsets(const Geometry& geometry, std::int64_t max_rows, bool may_split, TileAxes& axes,
                                     TileOffsets& offsets) noexcept;

}  // namespace dlspec::optimized
