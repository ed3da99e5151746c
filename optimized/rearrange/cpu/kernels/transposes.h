// Macro-kernels: transposes of a block, tile by tile.
#pragma once

#include "edge_tiles.h"
#include "narrow.h"
#include "runs.h"

namespace dlspec::optimized {
namespace {

[[gnu::always_inline]] inline void prefetch_rows(const Tile& tile, std::int64_t rows, std::int64_t ahead,
                                                 std::int64_t bytes) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(tile.from_row(i) + ahead + at, 0, 2);
  }
}

// True if every destination row of the block is cache-line aligned.
inline bool rows_are_line_aligned(const Plan& plan, const Block& block) {
  return is_aligned(block.to) && plan.b.to % 64 == 0;
}

inline Tile tile_of(const Plan& plan, const Block& block) {
  Tile tile{block.to, plan.b.to, block.from, plan.a.from};
  if (plan.b.from < 0) {  // reversed, so that source addresses ascend
    tile.to += (block.b - 1) * plan.b.to;
    tile.to_pitch = -plan.b.to;
    tile.from += (block.b - 1) * plan.b.from;
  }
  return tile;
}

// The order of the tiles of a block: along the destination rows, or diagonally along both axes at once. The rows of a
// tile often map to a few L1 sets; the next tile on a diagonal uses other sets on both sides and evicts nothing.
struct TileWalk {
  std::int64_t a = 0, b = 0, first_b = 0;

  void advance(const Block& block, std::int64_t side, bool diagonal) {
    a += side;
    if (a < block.a) {
      if (diagonal) b = b + side < block.b ? b + side : 0;
    } else {
      a = 0;
      b = first_b += side;
    }
  }
};

// Diagonal order with 32-byte vectors: in tiles of whole cache lines on both sides.
template <class V, std::int64_t size>
void transpose_diagonally(const Plan& plan, const Block& block) {
  constexpr std::int64_t side = 64 / size;
  const Tile tile = tile_of(plan, block);
  for (TileWalk next; next.first_b < block.b;) {
    const Tile inner = part_of<size>(tile, next.a, next.b);
    const std::int64_t high = min(block.a - next.a, side), wide = min(block.b - next.b, side);
    next.advance(block, side, true);
    if (high == side && wide == side) {
      NextTile next_tile;
      if (plan.prefetching && next.first_b < block.b) next_tile.to = part_of<size>(tile, next.a, next.b).to;
      transpose_columns<V, size, false>(inner, side, next_tile);
      continue;
    }
    for (std::int64_t b = 0; b < wide; b += V::width / size) {
      for (std::int64_t a = 0; a < high; a += V::width / size) {
        transpose_edge<V, size>(part_of<size>(inner, a, b), min(high - a, V::width / size),
                                min(wide - b, V::width / size));
      }
    }
  }
}

template <class V, std::int64_t size, bool streaming>
[[gnu::always_inline]] inline void transpose_block(const Plan& plan, const Block& block) {
  constexpr std::int64_t side = V::width / size;
  const Tile tile = tile_of(plan, block);
  // Rows that end at once do not start the hardware prefetcher: prefetch those of the next block.
  if (streaming && block.prefetch_offset != 0 && plan.b.extent * size <= 128) {
    prefetch_rows(tile, block.a, block.prefetch_offset, block.b * size);
  }
  if constexpr (V::width == 32) {
    if (transpose_narrow<V, size>(plan, tile, block.a, block.b)) return;
  }
  if constexpr (V::width == 32 && size >= 2) {
    if (!streaming && plan.diagonal) return transpose_diagonally<V, size>(plan, block);
  }
  // The last tile of a row may overlap the previous one, except for streaming stores, which need alignment.
  const std::int64_t last_a = streaming || block.a < side ? block.a : block.a - side;
  const std::int64_t last_b = streaming || block.b < side ? block.b : block.b - side;
  const bool past_l2 = V::width == 32 && !streaming && plan.prefetching && plan.geometry.bytes > l2_payload;
  const bool diagonal = V::width == 64 && !streaming && plan.diagonal;
  // Rows whose continuation maps to other L1 sets.
  const bool prefetch_row_ends =
      V::width == 64 && !streaming && plan.prefetching && plan.geometry.bytes > l1_payload && tile.to_pitch % 1024 != 0;
  for (TileWalk next; next.first_b < block.b;) {
    const std::int64_t at_a = min(next.a, last_a), at_b = min(next.b, last_b);
    const Tile inner = part_of<size>(tile, at_a, at_b);
    if (past_l2 && next.a == 0) {
      unroll<side>([&]<std::int64_t i>()
                       __attribute__((always_inline)) { __builtin_prefetch(inner.to_row(side + i), 1); });
    }
    next.advance(block, side, diagonal);
    const std::int64_t high = min(block.a - at_a, side), wide = min(block.b - at_b, side);
    if (high != side || wide != side) {
      transpose_edge<V, size>(inner, high, wide);
      continue;
    }
    NextTile next_tile;
    if (diagonal) {
      const Tile after = part_of<size>(tile, min(next.a, last_a), min(next.b, last_b));
      if (size >= 2 && plan.prefetching) next_tile.to = after.to;
      if (size <= 2) next_tile.from = after.from;
    } else if (prefetch_row_ends && size >= 2) {
      next_tile.to = inner.to + V::width;
    }
    transpose_full<V, size, streaming>(inner, next_tile);
  }
}

}  // namespace
}  // namespace dlspec::optimized
