// Edge tiles.
#pragma once

#include "tiles.h"

namespace dlspec::optimized {
namespace {

// An edge tile of a few columns or rows. Rows read from a buffer that they were just copied to, piece by piece, cannot
// be forwarded: the load waits until these stores, and all before them that miss L1, are done, for 40 ns of each line.
template <class V, std::int64_t size, class AnyTile>
[[gnu::noinline]] void transpose_masked(const AnyTile& given, std::int64_t rows, std::int64_t columns) {
  const AnyTile tile = given;  // a local copy: stores cannot alias it
  const auto wide = V::first_bytes(columns * size), high = V::first_bytes(rows * size);
  transpose_tile<V, size>(
      [&](std::int64_t i)
          __attribute__((always_inline)) { return i < rows ? V::load(tile.from_row(i), wide) : Vector<V>{}; },
      [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) {
        if (i < columns) V::store(tile.to_row(i), row, high);
      });
}

// An edge tile by way of a buffer that holds it as a full one.
template <class V, std::int64_t size, class AnyTile>
[[gnu::noinline]] void transpose_buffered(const AnyTile& tile, std::int64_t rows, std::int64_t columns) {
  alignas(V::width) std::byte from[V::width / size][V::width] = {}, to[V::width / size][V::width];
  for (std::int64_t i = 0; i < rows; ++i) {
    __builtin_memcpy(from[i], tile.from_row(i), static_cast<std::size_t>(columns * size));
  }
  transpose_full<V, size, false>(Tile{to[0], V::width, from[0], V::width});
  for (std::int64_t i = 0; i < columns; ++i) {
    __builtin_memcpy(tile.to_row(i), to[i], static_cast<std::size_t>(rows * size));
  }
}

// An edge tile of any size.
template <class V, std::int64_t size, class AnyTile>
[[gnu::always_inline]] inline void transpose_edge(const AnyTile& tile, std::int64_t rows, std::int64_t columns) {
  if constexpr (V::width == 32) {
    if (rows * size >= 16 && columns * size >= 16) return transpose_lanes<V, size>(tile, rows, columns);
  }
  if constexpr (V::masks_elements_of(size)) {
    transpose_masked<V, size>(tile, rows, columns);
  } else {
    transpose_buffered<V, size>(tile, rows, columns);
  }
}

}  // namespace
}  // namespace dlspec::optimized
