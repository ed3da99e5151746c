// Streaming transposes. A cache line that is half written costs more than non-temporal stores save: with 32-byte
// vectors both halves of a line are computed before either is stored.
#pragma once

#include "transposes.h"

namespace dlspec::optimized {
namespace {

// Every destination row is cache-line aligned.
template <class V, std::int64_t size>
void transpose_whole_lines(const Plan& plan, const Block& block) {
  constexpr std::int64_t rows = 64 / size;
  Tile tile = tile_of(plan, block);
  Block rest = block;
  for (; rest.a >= rows; rest.a -= rows) {
    const std::int64_t left = block.b - transpose_columns<V, size, true>(tile, block.b);
    if (left != 0) {
      Block columns = rest;  // the columns at the end that a tile walks to
      columns.a = rows;
      columns.b = left;
      if (plan.b.from > 0) {
        columns.to += (block.b - left) * plan.b.to;
        columns.from += (block.b - left) * plan.b.from;
      }
      transpose_block<V, size, false>(plan, columns);
    }
    tile.to += 64;
    tile.from += rows * plan.a.from;
    rest.to += 64;
    rest.from += rows * plan.a.from;
  }
  if (rest.a > 0) transpose_block<V, size, false>(plan, rest);
}

// Streams only if all destination rows are cache-line aligned.
template <class V, std::int64_t size>
void transpose_streaming(const Plan& plan, const Block& block) noexcept {
  if (!rows_are_line_aligned(plan, block)) {
    transpose_block<V, size, false>(plan, block);
  } else if constexpr (V::width == 32) {
    transpose_whole_lines<V, size>(plan, block);
  } else {
    transpose_block<V, size, true>(plan, block);
  }
}

}  // namespace
}  // namespace dlspec::optimized
