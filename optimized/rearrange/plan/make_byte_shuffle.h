// Makes the byte shuffle of a geometry.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// The tile that one execution of the byte shuffle moves: `extents` elements of each axis. At most one axis has more
// elements than the tile; the tile is repeated along this `axis` (max_rank: there is only one tile).
struct ShuffleTile {
  std::size_t axis;
  std::int64_t extents[max_rank];
};

// False if a byte shuffle does not pay or does not fit: long runs, transposes of two long axes, scattered elements.
// Then `tile` and `shuffle` are invalid.
[[nodiscard]] bool make_byte_shuffle(const Geometry& geometry, ShuffleTile& tile, ByteShuffle& shuffle) noexcept;

// The same for contiguous destination rows shorter than a cache line: its tiles fill whole lines.
[[nodiscard]] bool make_line_shuffle(const Geometry& geometry, ShuffleTile& tile, ByteShuffle& shuffle) noexcept;

// Counts the tiles, and finds those that need masked loads. For both functions above.
void count_tiles(const Geometry& geometry, const ShuffleTile& tile, ByteShuffle& shuffle) noexcept;

}  // namespace dlspec::optimized
