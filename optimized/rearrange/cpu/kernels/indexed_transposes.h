// Indexed transposes: the rows and columns of a tile each span several short axes.
#pragma once

#include "edge_tiles.h"

namespace dlspec::optimized {
namespace {

template <class V, std::int64_t size>
void transpose_indexed(const Plan& plan, const Block& block) noexcept {
  constexpr std::int64_t side = V::width / size;
  const TileOffsets& offsets = plan.tile_offsets;
  const std::int64_t rows = offsets.inner_a * block.a, columns = offsets.inner_b * block.b;
  std::byte* const to = block.to + offsets.to_start;
  const std::byte* const from = block.from + offsets.from_start;
  // The hardware prefetcher does not follow rows so far apart. Data in L2 arrives in time without.
  if (block.prefetch_offset != 0 && plan.geometry.bytes > l2_payload) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t at = 0; at < columns * size; at += 64)
        __builtin_prefetch(from + block.prefetch_offset + offsets.from[i] + at);
    }
  }
  // In L1, an edge tile that is more than half full is a full tile that overlaps the previous one. Otherwise, with as
  // few stores as possible.
  const bool in_l1 = plan.geometry.bytes <= l1_payload && rows * size >= 16 && columns * size >= 16;
  const auto last = [&](std::int64_t count) {
    return in_l1 && count > side && count % side > side / 2 ? count - side : count;
  };
  const std::int64_t last_a = last(rows), last_b = last(columns);
  // Along the destination rows first: consecutive stores are adjacent.
  for (std::int64_t b = 0; b < columns; b += side) {
    for (std::int64_t a = 0; a < rows; a += side) {
      const std::int64_t at_a = min(a, last_a), at_b = min(b, last_b);
      const IndexedTile tile{to + at_a * size, offsets.to + at_b, from + at_b * size, offsets.from + at_a};
      const std::int64_t high = min(rows - at_a, side), wide = min(columns - at_b, side);
      if (high == side && wide == side) {
        transpose_full<V, size>(tile);
      } else if (in_l1 && plan.edges_in_lanes && high * size >= 16 && wide * size >= 16) {
        transpose_lanes<V, size>(tile, high, wide);
      } else {
        transpose_edge<V, size>(tile, high, wide);
      }
    }
  }
}

// Smaller tiles do not repay their tables.
template <class V, std::int64_t size>
constexpr Kernel transpose_indexed_of() {
  if constexpr (V::width / size >= 8) return transpose_indexed<V, size>;
  return nullptr;
}

}  // namespace
}  // namespace dlspec::optimized
