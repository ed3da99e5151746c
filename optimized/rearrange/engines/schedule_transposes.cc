// Transposes: woven ones, those in tiles, in lanes, staged, and those of odd items.
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/plan/weave.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t transposed_from = 3 << 20;             // payload that no cache near the processor holds, and
constexpr std::int64_t odd_stream_from = 4 << 20;             // that of items of 3, 6 and 12 bytes
constexpr std::int64_t shortest_staged = 1024;                // bytes of a row of a transpose
constexpr std::int64_t staged_block = std::int64_t{1} << 14;  // and of rows of both sides in a block
constexpr std::int64_t shortest_run = 32;                     // bytes
constexpr std::int64_t odd_block = 32;                        // items along both axes of a transpose of odd items
constexpr std::int64_t shortest_woven = 256;                  // bytes; making the tables takes longer than copying less
constexpr std::int64_t streamed_row = 256;                    // bytes of a destination row that a block has, and
constexpr std::int64_t streamed_strip = 128;                  // of a source row, where stores go past the caches
constexpr std::int64_t far = std::int64_t{1} << 20;           // rows so far apart cost most by finding their pages

// Items of a block: some more than `block`, if otherwise the last one had less than a tile's side.
std::int64_t in_tiles(std::int64_t extent, std::int64_t block, std::int64_t side) {
  if (extent <= block || extent > 16 * side) return block;  // of so many, the masks of the last do not count
  for (std::int64_t more = 0; more < 4; ++more) {
    const std::int64_t left = extent % (block + more * side);
    if (left == 0 || left >= side) return block + more * side;
  }
  return block;
}

}  // namespace

// Of runs that are too short to be copied one by one from all over the source.
bool Scheduler::short_transpose() const {
  return geometry_.run < shortest_run && geometry_.axes[0].to == geometry_.run && next_to_itself_in_source() != no_axis;
}

void Scheduler::odd_transpose() {
  const std::size_t across = next_to_itself_in_source();
  for (std::size_t i = 0; i < odd_sizes; ++i) {
    if (geometry_.run == std::int64_t{3} << i && kernels_.transpose_odd[i] != nullptr) return odd_tiles(i, across);
  }
  plan_.method = Method::strided;
  take_kernel(kernels_.strided_any);
  take_a(0, odd_block);
  take_b(across, odd_block);
}

// In blocks that suit both ways.
void Scheduler::odd_tiles(std::size_t odd, std::size_t across) {
  const std::int64_t run = geometry_.run;
  plan_.method = Method::transpose;
  plan_.streaming = large_for(odd_stream_from) && kernels_.transpose_odd_staged[odd] != nullptr &&
                    geometry_.axes[0].extent >= shortest_staged / run && geometry_.axes[across].extent >= line / run;
  plan_.kernel = plan_.streaming ? kernels_.transpose_odd_staged[odd] : kernels_.transpose_odd[odd];
  take_a(0, odd_row / run);
  take_b(across, odd_strip / run);
}

// How many places of a tile are filled, if its sides are of at most so many places; 0: they cannot be.
std::int64_t Scheduler::weave_sides(std::int64_t most, bool cuts, Sides& sides) {
  const std::int64_t side = width_ / geometry_.run;
  if (!make_weave(geometry_, most, cuts, sides, plan_.weave)) return 0;
  const std::int64_t a = plan_.weave.inner_a * sides.items_a, b = plan_.weave.inner_b * sides.items_b;
  return a * b / (in_blocks(a, side) * in_blocks(b, side));
}

bool Scheduler::leaves_a_rest(std::size_t axis, std::int64_t items) const {
  return axis != no_axis && geometry_.axes[axis].extent % items != 0;
}

// Of what lies in the nearest cache and fills lanes.
bool Scheduler::weave_in_lanes() {
  if (near_ == nullptr || item_ == item_sizes || geometry_.bytes > nearest) return false;
  if (geometry_.axes[0].to != geometry_.run) return false;
  const std::size_t across = next_to_itself_in_source();
  return across != no_axis && weave(across, true);
}

// When one axis alone does not fill a side of the tiles, but several do.
bool Scheduler::weave(std::size_t across, bool only_in_lanes) {
  if (kernels_.weave[item_] == nullptr || geometry_.bytes < shortest_woven) return false;
  const std::int64_t side = width_ / geometry_.run;
  const std::int64_t plain = lesser(geometry_.axes[0].extent, side) * lesser(geometry_.axes[across].extent, side);
  if (plain >= side * side / 2) return false;
  Sides sides;
  // Longer sides leave less of the last tiles empty, but one of them may have the axes that the other wants; and of an
  // axis that is cut there may be a rest.
  const std::int64_t one_tile = weave_sides(side, true, sides), several = weave_sides(longest_side, true, sides);
  const std::int64_t whole = leaves_a_rest(sides.axis_a, sides.items_a) || leaves_a_rest(sides.axis_b, sides.items_b)
                                 ? weave_sides(longest_side, false, sides)
                                 : several;
  const std::int64_t most = several < one_tile ? side : longest_side;
  if (whole < several || whole < one_tile) static_cast<void>(weave_sides(most, true, sides));
  if (greater(whole, greater(several, one_tile)) <= plain) return false;
  const std::int64_t rows = plan_.weave.inner_a * sides.items_a, columns = plan_.weave.inner_b * sides.items_b;
  const bool in_lanes = suits_lanes(rows, columns);
  if (only_in_lanes && !(in_lanes && fills_most_of_its_lanes(rows, columns))) return false;
  plan_.method = Method::weave;
  take_kernel(in_lanes ? near_->weave_near[item_] : kernels_.weave[item_]);
  inside_ = sides.whole;
  take_a(sides.axis_a, sides.items_a);
  take_b(sides.axis_b, sides.items_b);
  return true;
}

// In the nearest cache, and not of whole tiles only.
bool Scheduler::suits_lanes(std::int64_t rows, std::int64_t columns) const {
  const std::int64_t side = width_ / geometry_.run;
  return near_ != nullptr && geometry_.bytes <= nearest && (rows % side != 0 || columns % side != 0);
}

// Of the places in lanes of a tile two thirds, and at least one vector's rows.
bool Scheduler::fills_most_of_its_lanes(std::int64_t rows, std::int64_t columns) const {
  const std::int64_t in_lane = lane_width / geometry_.run, in_vector = 2 * in_lane;
  if (rows < in_vector || columns < in_lane) return false;
  return 3 * rows * columns >= 2 * in_blocks(rows, in_vector) * in_vector * in_blocks(columns, in_lane) * in_lane;
}

void Scheduler::transpose(std::size_t across) {
  const std::int64_t run = geometry_.run;
  plan_.method = Method::transpose;
  const bool lines = steps_in_lines(0);
  const Kernel direct = lines ? kernels_.transpose_streaming[item_] : nullptr;
  const bool large = large_for(stays_in_third_cache() && goes_in_order(across) ? third_from : transposed_from);
  if (large && pays_to_stage(across, lines)) {
    plan_.lines = lines ? 0 : no_axis;
    plan_.streaming = true;
    plan_.kernel = kernels_.transpose_staged[item_];
    return stage(across, lines);
  }
  plan_.lines = 0;
  take_kernel(kernels_.transpose[item_], direct, large);
  if (plan_.streaming && magnitude(geometry_.axes[0].from) < far) {
    take_a(0, streamed_row / geometry_.run);
    return take_b(across, streamed_strip / geometry_.run);
  }
  const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent, side = width_ / run;
  const bool is_small = geometry_.bytes <= nearest, long_rows = geometry_.bytes <= near;
  const std::int64_t tile = line / run;  // vectors of half a line do two by two of theirs at a time
  const bool in_lines = width_ == line || (2 * width_ == line && run >= 2);
  plan_.diagonal = !is_small && in_lines && geometry_.axes[across].to % line == 0;
  if (!plan_.streaming && suits_lanes(rows, columns)) take_kernel(near_->transpose_near[item_]);
  const bool is_tile = rows == side && columns == side && geometry_.axes[across].from > 0;
  if (!plan_.streaming && is_tile && geometry_.rank == 2) take_kernel(kernels_.transpose_once[item_]);
  // What lies near is written in long rows; else long rows are read, and the writes wait by themselves. Diagonals want
  // both.
  std::int64_t block_a = (long_rows || plan_.diagonal ? strip : line) / run;
  std::int64_t block_b = (is_small || !long_rows || plan_.diagonal ? strip : line) / run;
  if (plan_.diagonal) block_b = evenly(in_blocks(columns, tile), block_b / tile, threads_) * tile;
  const bool shared = threads_ > 1 && !is_small && (long_rows || plan_.diagonal);
  if (shared && geometry_.rank == 2 && columns < threads_ * tile) {
    // Too few rows for each thread to have some: each has a part of all of them.
    block_a = evenly(in_blocks(rows, tile), block_a / tile, threads_) * tile;
    block_b = columns;
  } else if (is_small || shared) {
    block_a = rows;  // a row that two threads write goes to and fro between their caches
  }
  // Where one of them ends before its block does, the other goes on for longer.
  take_a(0, in_tiles(rows, block_a * (block_b / lesser(block_b, columns)), side));
  take_b(across, in_tiles(columns, block_b * (block_a / lesser(block_a, rows)), side));
}

// In blocks as large as leaves some for each thread: where rows begin with lines, less of these; else fewer of them,
// because lines that two blocks share take time.
void Scheduler::stage(std::size_t across, bool lines) {
  const Step &a = geometry_.axes[0], &b = geometry_.axes[across];
  const std::int64_t wanted = threads_ == 1 ? 1 : 4 * threads_;
  const std::int64_t others = geometry_.bytes / geometry_.run / a.extent / b.extent;
  std::int64_t of_a = staged_block / geometry_.run, of_b = of_a;
  const auto are_too_few = [&] { return others * (a.extent / of_a + 1) * (b.extent / of_b + 1) < wanted; };
  std::int64_t& cut = lines ? of_a : of_b;
  while (cut * geometry_.run > shortest_staged && are_too_few()) cut /= 2;
  take_a(0, of_a);
  take_b(across, of_b);
}

// Of rows of the destination that go on for many lines, and of the source for one.
bool Scheduler::pays_to_stage(std::size_t across, bool lines) const {
  return kernels_.transpose_staged[item_] != nullptr &&
         geometry_.axes[0].extent >= (lines ? 2 * line : shortest_staged) / geometry_.run &&
         geometry_.axes[across].extent >= line / geometry_.run && !(lines && (geometry_.run > 4 || in_planes(across)));
}

// Rows of one side are short, and each begins where the one before ends.
bool Scheduler::goes_in_order(std::size_t across) const {
  const Step &a = geometry_.axes[0], &b = geometry_.axes[across];
  const std::int64_t written = a.extent * geometry_.run, read = b.extent * geometry_.run;
  return (read <= strip && magnitude(a.from) == read) || (written <= 4 * line && b.to == written);
}

// Both sides go on from end to end within what the second cache holds.
bool Scheduler::in_planes(std::size_t across) const {
  const Step &a = geometry_.axes[0], &b = geometry_.axes[across];
  const std::int64_t size = a.extent * b.extent * geometry_.run;
  return size <= near && b.to == a.extent * geometry_.run && magnitude(a.from) == b.extent * geometry_.run;
}

}  // namespace dlspec::optimized
