#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(window_width);
constexpr std::int64_t min_tiles = 4;  // per row; with fewer, the tail outweighs the gain

// Source offsets of the 64 bytes of a destination cache line, line after line.
class LineSources {
 public:
  explicit LineSources(const Axis& axis, std::int64_t run) : axis_(axis), run_(run) {}

  void advance() {
    for (std::int64_t& offset : offsets_) {
      offset = element_offset_ + byte_;
      if (++byte_ < run_) continue;
      byte_ = 0;
      element_offset_ += axis_.from;
    }
  }

  // Finds two windows that hold these bytes: one begins at the lowest, the other ends at the highest. False if they are
  // further apart than two vectors.
  [[nodiscard]] bool find_pair(Window* pair) const {
    std::int64_t low = offsets_[0], high = low;
    for (const std::int64_t offset : offsets_) {
      low = min(low, offset);
      high = max(high, offset);
    }
    if (high - low >= 2 * vector) return false;
    pair[0] = {low, 0, 0};
    pair[1] = {high - low < vector ? low : high - (vector - 1), 0, 0};
    return true;
  }

  // The first `tail` bytes belong to the tail tile, too.
  void fill_step(Window* pair, Window& to, ShuffleStep& step, std::int64_t tail) const {
    for (std::int64_t i = 0; i < vector; ++i) {
      const std::size_t half = offsets_[i] - pair[0].offset < vector ? 0 : 1;
      const std::int64_t at = offsets_[i] - pair[half].offset;
      step.index[i] = static_cast<std::uint8_t>(at + (half == 0 ? 0 : vector));
      pair[half].mask |= std::uint64_t{1} << at;
      if (i >= tail) continue;
      pair[half].tail_mask |= std::uint64_t{1} << at;
      to.tail_mask |= std::uint64_t{1} << i;
    }
    if (pair[1].mask == 0) pair[1] = pair[0];  // the first window holds all bytes
  }

 private:
  const Axis axis_;
  const std::int64_t run_;
  std::int64_t element_offset_ = 0, byte_ = 0;  // offset of the next byte's element, and its index in there
  std::int64_t offsets_[vector];
};

}  // namespace

bool make_line_shuffle(const Geometry& geometry, ShuffleTile& tile, ByteShuffle& shuffle) noexcept {
  if (geometry.rank == 0 || geometry.run >= vector || geometry.axes[0].to != geometry.run) return false;
  const Axis& axis = geometry.axes[0];
  const std::int64_t run = geometry.run, granule = min(run & -run, vector), elements = vector / granule,
                     lines = run / granule;
  if (lines == 1 || lines > max_shuffle_lines || axis.extent / elements < min_tiles ||
      magnitude(axis.from) > 2 * vector)
    return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) tile.extents[i] = 1;
  tile.axis = 0;
  tile.extents[0] = elements;
  shuffle.is_unrolled = false;
  shuffle.whole_lines = true;
  shuffle.destinations = static_cast<std::size_t>(lines);
  shuffle.sources = 2 * shuffle.destinations;
  const std::int64_t tail = axis.extent % elements * run;
  LineSources line(axis, run);
  for (std::size_t d = 0; d < shuffle.destinations; ++d) {
    Window* const pair = shuffle.source + 2 * d;
    const std::int64_t first = static_cast<std::int64_t>(d) * vector;
    line.advance();
    if (!line.find_pair(pair)) return false;
    shuffle.destination[d] = {first, ~std::uint64_t{0}, 0};
    shuffle.first_step[d] = d;
    shuffle.steps[d].mask = ~std::uint64_t{0};
    shuffle.steps[d].source_pair = d;
    line.fill_step(pair, shuffle.destination[d], shuffle.steps[d], tail - first);
  }
  shuffle.first_step[shuffle.destinations] = shuffle.destinations;
  count_tiles(geometry, tile, shuffle);
  return true;
}

}  // namespace dlspec::optimized
