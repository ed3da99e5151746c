// Transposes of payloads in L1 whose sides are no multiples of a tile. They work in 128-bit lanes, so that no vector is
// partly empty. Wider vectors would not be faster: the processor has fewer execution ports for them.
#pragma once

#include "indexed_transposes.h"
#include "unaligned.h"

namespace dlspec::optimized {
namespace {

// One vector of source rows and one lane of columns at a time; the last rows and columns overlap the previous ones. At
// least a vector of rows and a lane of columns.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline void transpose_l1(const Tile& tile, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t lane_elements = 16 / size, side = V::width / size;
  const std::int64_t last_row = rows - side, last_column = columns - lane_elements;
  for (std::int64_t a = 0;; a = min(a + side, last_row)) {
    const std::byte* from[side];
    unroll<side>([&]<std::int64_t i>() __attribute__((always_inline)) { from[i] = tile.from_row(a + i); });
    for (std::int64_t b = 0;; b = min(b + lane_elements, last_column)) {
      transpose_group<V, size>(
          0, [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(from[i] + b * size); },
          [&](std::int64_t i, const Vector<V>& row)
              __attribute__((always_inline)) { store(tile.to_row(b + i) + a * size, row); });
      if (b == last_column) break;
    }
    if (a == last_row) return;
  }
}

// `lanes` lanes of columns from `column` on, of every source row.
template <class V, std::int64_t size, std::int64_t lanes>
[[gnu::always_inline]] inline void transpose_lanes(const IndexedTile& tile, std::int64_t rows, std::int64_t column) {
  constexpr std::int64_t lane_elements = 16 / size, side = V::width / size;
  std::byte* to[lanes * lane_elements];
  unroll<lanes * lane_elements>([&]<std::int64_t i>()
                                    __attribute__((always_inline)) { to[i] = tile.to_row(column + i); });
  for (std::int64_t a = 0;; a = min(a + side, rows - side)) {
    const std::byte* from[side];
    unroll<side>([&]<std::int64_t i>()
                     __attribute__((always_inline)) { from[i] = tile.from_row(a + i) + column * size; });
    unroll<lanes>([&]<std::int64_t lane>() __attribute__((always_inline)) {
      transpose_group<V, size>(
          lane, [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(from[i] + 16 * lane); },
          [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) { store(to[i] + a * size, row); });
    });
    if (a == rows - side) return;
  }
}

// The same for an indexed tile, column by column. Row by row, loads of the row offsets from the plan would alternate
// with stores to all destination rows and hit 4K aliasing (a load that matches an earlier store in its low 12 bits
// waits for it): four times slower for one in ten buffer addresses.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline void transpose_l1(const IndexedTile& tile, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t lane_elements = 16 / size;
  std::int64_t column = 0;
  for (; columns - column >= 3 * lane_elements; column += 3 * lane_elements)
    transpose_lanes<V, size, 3>(tile, rows, column);
  for (; columns - column >= 2 * lane_elements; column += 2 * lane_elements)
    transpose_lanes<V, size, 2>(tile, rows, column);
  for (; column < columns; column += lane_elements) {
    transpose_lanes<V, size, 1>(tile, rows, min(column, columns - lane_elements));
  }
}

template <class V, std::int64_t size>
void transpose_l1(const Plan& plan, const Block& block) noexcept {
  if (transpose_short<V, size>(plan, block)) return;
  if (block.a * size < V::width || block.b * size < 16) return transpose_block<V, size, false>(plan, block);
  const Tile tile = tile_of(plan, block);  // a local copy: stores cannot alias it
  transpose_l1<V, size>(tile, block.a, block.b);
}

template <class V, std::int64_t size>
void transpose_indexed_l1(const Plan& plan, const Block& block) noexcept {
  const TileOffsets& offsets = plan.tile_offsets;
  const std::int64_t rows = offsets.inner_a * block.a, columns = offsets.inner_b * block.b;
  if (rows * size < V::width || columns * size < 16) return transpose_indexed<V, size>(plan, block);
  const IndexedTile tile{block.to + offsets.to_start, offsets.to, block.from + offsets.from_start, offsets.from};
  transpose_l1<V, size>(tile, rows, columns);
}

}  // namespace
}  // namespace dlspec::optimized
