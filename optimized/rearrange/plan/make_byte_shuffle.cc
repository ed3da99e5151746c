#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/shuffle_steps.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(window_width);
constexpr std::int64_t max_tile_bytes = vector * static_cast<std::int64_t>(max_windows);

std::int64_t stride_of(const Axis& axis, bool to) { return to ? axis.to : magnitude(axis.from); }

// Adds axes to the tile, smallest stride first and as long as they are contiguous, until they fill a vector of one
// operand. Each gets as many elements as needed. Returns the set of these axes.
std::uint64_t fill_vector(const Geometry& geometry, bool to, ShuffleTile& tile) {
  std::int64_t covered = geometry.run;
  std::uint64_t used = 0;
  static_assert(max_rank <= 64);
  for (;;) {
    std::size_t next = max_rank;
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      const std::int64_t stride = stride_of(geometry.axes[i], to);
      if ((used >> i & 1) != 0 || stride < covered || stride >= vector) continue;
      if (next == max_rank || stride < stride_of(geometry.axes[next], to)) next = i;
    }
    if (next == max_rank) return used;
    const Axis& axis = geometry.axes[next];
    const std::int64_t stride = stride_of(axis, to), fit = vector / stride;
    // A vector includes gaps only if nothing else fills it.
    if (stride != covered && used != 0) return used;
    const std::int64_t taken = fit < axis.extent ? fit : axis.extent;
    if (taken > tile.extents[next]) tile.extents[next] = taken;
    if (taken > 1) used |= std::uint64_t{1} << next;
    if (taken < axis.extent) return used;
    covered = stride * axis.extent;
  }
}

// Finds the only axis that the tile splits. False if there are several.
bool find_tile_axis(const Geometry& geometry, ShuffleTile& tile) {
  tile.axis = max_rank;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (tile.extents[i] == 1 || tile.extents[i] == geometry.axes[i].extent) continue;
    if (tile.axis != max_rank) return false;
    tile.axis = i;
  }
  if (tile.axis != max_rank) return true;
  // The tile has all or one of each axis: it is repeated along the innermost of the others.
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (tile.extents[i] == geometry.axes[i].extent) continue;
    if (tile.axis == max_rank) tile.axis = i;
  }
  return true;
}

// Bytes from the first to the last one that the window needs.
std::int64_t byte_span(const Window& window) { return 64 - __builtin_clzll(window.mask); }

// Counts the tiles at either end that need masked loads. A full-vector load is safe if the same window of another tile
// reaches as far, and no page without one of its bytes lies between (tile stride < 4096).
void find_masked_ends(std::int64_t stride, ByteShuffle& shuffle) {
  shuffle.masked_head = shuffle.masked_tail = 0;
  for (std::size_t i = 0; i < shuffle.sources; ++i) {
    if (shuffle.source[i].mask == 0) continue;  // its pair holds these bytes
    const std::int64_t missing = vector - byte_span(shuffle.source[i]);
    if (missing == 0) continue;
    const std::int64_t distance = magnitude(stride);
    std::int64_t masked =
        distance == 0 || distance >= page_size ? shuffle.full_tiles : (missing + distance - 1) / distance;
    if (masked > shuffle.full_tiles) masked = shuffle.full_tiles;
    std::int64_t& end = stride < 0 ? shuffle.masked_head : shuffle.masked_tail;
    if (masked > end) end = masked;
  }
}

}  // namespace

bool make_byte_shuffle(const Geometry& geometry, ShuffleTile& tile, ByteShuffle& shuffle) noexcept {
  if (geometry.rank == 0 || geometry.run >= vector) return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) tile.extents[i] = 1;
  const std::uint64_t to_axes = fill_vector(geometry, true, tile), from_axes = fill_vector(geometry, false, tile);
  if (!find_tile_axis(geometry, tile)) return false;
  std::int64_t bytes = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    bytes *= tile.extents[i];
    if (bytes > max_tile_bytes) return false;
  }
  // In a transpose every source vector contributes to every destination vector.
  const std::int64_t vectors = bytes / vector;
  if ((to_axes & from_axes) == 0 && vectors * vectors / 2 > static_cast<std::int64_t>(max_shuffle_steps)) return false;
  if (!find_shuffle_steps(geometry, tile, shuffle)) return false;
  shuffle.whole_lines = false;
  count_tiles(geometry, tile, shuffle);
  return true;
}

void count_tiles(const Geometry& geometry, const ShuffleTile& tile, ByteShuffle& shuffle) noexcept {
  shuffle.full_tiles = 1;
  shuffle.has_tail = false;
  std::int64_t stride = 0;
  if (tile.axis != max_rank) {
    const Axis& axis = geometry.axes[tile.axis];
    shuffle.full_tiles = axis.extent / tile.extents[tile.axis];
    shuffle.has_tail = axis.extent % tile.extents[tile.axis] != 0;
    stride = tile.extents[tile.axis] * axis.from;
  }
  find_masked_ends(stride, shuffle);
}

}  // namespace dlspec::optimized
