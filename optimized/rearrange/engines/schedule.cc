// From a geometry to a plan: which method, which two axes for the kernel, how large its blocks, and in which
// order the loops lead through them. Decided by sizes and steps alone: nothing is tried out.
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/loops.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/make_program.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/plan/words.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {
namespace {

constexpr std::size_t no_axis = highest_rank;
constexpr std::int64_t line = 64;                       // bytes of a cache line
constexpr std::int64_t copy_block = std::int64_t{1} << 17;  // bytes of a run done in one go
constexpr std::int64_t stream_from = 6 << 20;                // payload that no cache near the processor holds
constexpr std::int64_t transposed_from = 3 << 20;           // the same where stores do not follow each other
constexpr std::int64_t odd_stream_from = 4 << 20;            // of items of 3, 6 and 12 bytes
constexpr std::int64_t runs_from = 12 << 20;                 // of runs that one thread copies
constexpr std::int64_t third_from = 24 << 20;                // of what one thread does nearly in order, where a third cache is large
constexpr std::int64_t second_cache = 2 << 20;               // bytes
constexpr std::int64_t shortest_streamed = 1024;        // bytes of a run
constexpr std::int64_t shortest_staged = 1024;          // bytes of a row of a transpose
constexpr std::int64_t staged_block = std::int64_t{1} << 14;  // and of rows of both sides in a block
constexpr std::int64_t rows_block = std::int64_t{1} << 16;
constexpr std::int64_t shortest_run = 32;                // bytes
constexpr std::int64_t odd_block = 32;                   // items along both axes of a transpose of odd items
constexpr std::int64_t shortest_fill = 64;               // bytes of a row
constexpr std::int64_t few = 32;                         // items; fewer are copied by the time that a tile is set up
constexpr std::int64_t shortest_woven = 256;             // bytes; making the tables takes longer than copying less
constexpr std::int64_t strip = 1024;                    // bytes of a long row that a block of a transpose has
constexpr std::int64_t streamed_row = 256;              // bytes of a destination row that a block has, and
constexpr std::int64_t streamed_strip = 128;            // of a source row, where stores go past the caches
constexpr std::int64_t far = std::int64_t{1} << 20;           // rows so far apart cost more by finding their pages than by anything else

// Item i has 1 << i bytes; item_sizes for other runs.
std::size_t item_of(std::int64_t run) {
  for (std::size_t i = 0; i < item_sizes; ++i) {
    if (run == std::int64_t{1} << i) return i;
  }
  return item_sizes;
}

// Items of a block: some more than `block`, if otherwise the last one had less than a tile's side.
std::int64_t in_tiles(std::int64_t extent, std::int64_t block, std::int64_t side) {
  if (extent <= block || extent > 16 * side) return block;  // of so many, the masks of the last do not count
  for (std::int64_t more = 0; more < 4; ++more) {
    const std::int64_t left = extent % (block + more * side);
    if (left == 0 || left >= side) return block + more * side;
  }
  return block;
}

// The same size for all blocks, give or take one item: not above `most`, and as many blocks as are a multiple of `parts`.
std::int64_t evenly(std::int64_t extent, std::int64_t most, std::int64_t parts) {
  if (extent <= most && parts == 1) return most;
  return in_blocks(extent, in_blocks(in_blocks(extent, most), parts) * parts);
}

// At least one, and as many as are worth it.
std::int64_t threads_for(std::int64_t bytes, const PlanOptions& options) {
  const std::int64_t each = greater(1, options.bytes_per_thread);
  if (bytes / 2 < each) return 1;  // without a division
  return lesser(bytes / each, options.threads > 0 ? options.threads : default_threads());
}

class Scheduler {
 public:
  Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options)
      : plan_(plan),
        geometry_(plan.geometry),
        kernels_(*engine.kernels),
        near_(engine.near),
        options_(options),
        width_(static_cast<std::int64_t>(engine.width)),
        item_(item_of(plan.geometry.run)),
        threads_(threads_for(plan.geometry.bytes, options)),
        programs_(options.programs && (engine.kernels->program != nullptr || engine.kernels->shuffles != nullptr)) {}

  void choose() {
    plan_.lines = no_axis;
    plan_.diagonal = false;
    plan_.a = plan_.b = {1, 0, 0};
    if (geometry_.rank == 0) return copy();
    if (item_ != item_sizes && geometry_.axes[0].to == geometry_.run && geometry_.axes[0].from == 0 &&
        geometry_.axes[0].extent * geometry_.run >= shortest_fill) {
      return fill();
    }
    Cell cell;
    if (programs_ && kernels_.program != nullptr && make_line_program(geometry_, cell, plan_.program) && program(cell)) return;
    if (programs_ && !fills_lanes() && make_program(geometry_, cell, plan_.program) && program(cell)) return;
    if (item_ == item_sizes) return short_transpose() ? odd_transpose() : runs();
    const std::size_t across = next_to_itself_in_source();
    if (geometry_.axes[0].to == geometry_.run && across != no_axis && geometry_.bytes > (few << item_)) {
      if (weave(across)) return;
      return transpose(across);
    }
    strided();
  }

  [[nodiscard]] std::int64_t threads() const { return threads_; }

  // Over the blocks of a and b, and along every axis that is neither.
  void loops() { make_loops(plan_, inside_); }

 private:
  [[nodiscard]] bool large_for(std::int64_t from) const {
    return geometry_.bytes >= (options_.stream_from < 0 ? from : options_.stream_from);
  }
  void take_kernel(Kernel plain) {
    plan_.streaming = false;
    plan_.kernel = plain;
  }
  void take_kernel(Kernel plain, Kernel streaming, bool large) {
    plan_.streaming = large && streaming != nullptr;
    plan_.kernel = plan_.streaming ? streaming : plain;
  }
  void take(Step& side, std::size_t axis) {
    if (axis == no_axis) return;
    side = geometry_.axes[axis];
    inside_ |= std::uint64_t{1} << axis;
  }
  void take_a(std::size_t axis, std::int64_t block) {
    take(plan_.a, axis);
    plan_.block_a = block;
  }
  void take_b(std::size_t axis, std::int64_t block) {
    take(plan_.b, axis);
    plan_.block_b = block;
  }

  void copy() {
    plan_.method = Method::copy;
    take_kernel(kernels_.copy, kernels_.copy_streaming, large_for(stream_from));
    plan_.a = {geometry_.run, 1, 1};
    plan_.block_a = (evenly(geometry_.run, copy_block, threads_) + line - 1) / line * line;
    plan_.block_b = 1;
  }

  void runs() {
    plan_.method = Method::runs;
    plan_.block_a = 1;
    const bool whole_lines = geometry_.run >= shortest_streamed || (geometry_.run % line == 0 && steps_in_lines(no_axis));
    take_kernel(kernels_.runs, whole_lines ? kernels_.runs_streaming : nullptr,
                large_for(runs_from));
    // Stores past the caches do not mind where they go: then the source is read from its beginning to its end.
    const std::size_t along = plan_.streaming ? closest_in_source() : closest(no_axis);
    take_b(along, evenly(geometry_.axes[along].extent, greater(1, rows_block / geometry_.run), alone()));
    // Rows that are repeated stay in a cache, and so may what they are copied to.
    if (plan_.b.from == 0) take_kernel(kernels_.runs);
    if (!plan_.streaming) return;
    if (const std::size_t second = next_on_other_pages(along); second != no_axis) take_a(second, streams);
  }

  // Into how many threads' blocks the first axis is cut: if there are others, these are shared out.
  [[nodiscard]] std::int64_t alone() const { return geometry_.rank == 1 ? threads_ : 1; }

  // Of runs that are too short to be copied one by one from all over the source.
  [[nodiscard]] bool short_transpose() const {
    return geometry_.run < shortest_run && geometry_.axes[0].to == geometry_.run && next_to_itself_in_source() != no_axis;
  }

  void odd_transpose() {
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
  void odd_tiles(std::size_t odd, std::size_t across) {
    const std::int64_t run = geometry_.run;
    plan_.method = Method::transpose;
    plan_.streaming = large_for(odd_stream_from) && kernels_.transpose_odd_staged[odd] != nullptr &&
                      geometry_.axes[0].extent >= shortest_staged / run && geometry_.axes[across].extent >= line / run;
    plan_.kernel = plan_.streaming ? kernels_.transpose_odd_staged[odd] : kernels_.transpose_odd[odd];
    take_a(0, odd_row / run);
    take_b(across, odd_strip / run);
  }

  void fill() {
    plan_.method = Method::fill;
    take_kernel(kernels_.fill[item_]);
    take_a(0, evenly(geometry_.axes[0].extent, rows_block / geometry_.run, alone()));
    const std::int64_t row = lesser(plan_.a.extent, plan_.block_a) * geometry_.run;
    take_b(closest(0), greater(1, rows_block / row));
  }

  bool program(const Cell& cell) {
    const bool in_lanes = kernels_.program == nullptr;
    if (in_lanes && !make_shuffles(geometry_, cell, plan_.program, width_, plan_.shuffles)) return false;
    plan_.method = Method::program;
    std::int64_t bytes = geometry_.run;
    for (std::size_t i = 0; i < geometry_.rank; ++i) bytes *= cell.items[i];
    if (cell.along != no_axis) {
      const Step& axis = geometry_.axes[cell.along];
      const std::int64_t items = cell.items[cell.along];
      // In lanes, what is left over belongs to the last whole cell.
      plan_.a = {plan_.program.whole + (plan_.program.has_part && !in_lanes ? 1 : 0), items * axis.to, items * axis.from};
      inside_ |= std::uint64_t{1} << cell.along;
    }
    const std::size_t rank = geometry_.rank < highest_rank ? geometry_.rank : highest_rank;
    std::size_t next = 0;
    while (next < rank && (next == cell.along || cell.items[next] != 1)) ++next;
    plan_.block_a = evenly(plan_.a.extent, greater(1, rows_block / bytes), next < rank ? 1 : threads_);
    take_b(next < rank ? next : no_axis, greater(1, plan_.block_a / plan_.a.extent));
    for (std::size_t i = 0; i < rank; ++i) inside_ |= std::uint64_t{cell.items[i] != 1} << i;
    if (in_lanes) {
      take_kernel(bytes == geometry_.bytes ? kernels_.shuffles_once : kernels_.shuffles);
      return true;
    }
    const bool large = large_for(stays_in_third_cache() ? third_from : stream_from);
    take_kernel(kernels_.program, fills_lines(cell) ? kernels_.program_streaming : nullptr,
                large || (options_.stream_from < 0 && spares_the_source()));
    plan_.lines = cell.along;
    if (plan_.program.regular && !plan_.streaming && bytes == geometry_.bytes) only_cell();
    return true;
  }

  void only_cell() {
    Program& program = plan_.program;
    const bool in_words = consists_of_words(geometry_);
    if (in_words) count_words(program);
    const OnceByWindows& kernels = in_words ? kernels_.program_words : kernels_.program_once;
    plan_.kernel = kernels.of[program.sources - 1][program.destinations - 1];
  }

  // One thread's plain stores keep up with those past the caches as long as a third cache holds both sides.
  [[nodiscard]] bool stays_in_third_cache() const {
    return has_large_third_cache() && threads_ == 1;
  }

  // A thread's second cache holds its part of the source, but not of both: stores past it leave the source where it is.
  [[nodiscard]] bool spares_the_source() const {
    const std::int64_t source = (geometry_.from_range.end - geometry_.from_range.begin) / threads_;
    return source <= second_cache && source + geometry_.bytes / threads_ > second_cache + second_cache / 4;
  }

  // How many places of a tile are filled, if its sides are of at most so many places; 0: they cannot be.
  std::int64_t weave_sides(std::int64_t most, Sides& sides) {
    const std::int64_t side = width_ / geometry_.run;
    if (!make_weave(geometry_, most, sides, plan_.weave)) return 0;
    const std::int64_t a = plan_.weave.inner_a * sides.items_a, b = plan_.weave.inner_b * sides.items_b;
    return a * b / (((a + side - 1) / side) * ((b + side - 1) / side));
  }

  // When one axis alone does not fill a side of the tiles, but several do.
  bool weave(std::size_t across) {
    if (kernels_.weave[item_] == nullptr || geometry_.bytes < shortest_woven) return false;
    const std::int64_t side = width_ / geometry_.run;
    const std::int64_t plain = lesser(geometry_.axes[0].extent, side) * lesser(geometry_.axes[across].extent, side);
    if (plain >= side * side / 2) return false;
    Sides sides;
    // Longer sides leave less of the last tiles empty, but one of them may have the axes that the other wants.
    const std::int64_t one_tile = weave_sides(side, sides);
    const std::int64_t several = weave_sides(longest_side, sides);
    if (several < one_tile) static_cast<void>(weave_sides(side, sides));
    if (greater(several, one_tile) <= plain) return false;
    plan_.method = Method::weave;
    const bool in_lanes = suits_lanes(plan_.weave.inner_a * sides.items_a, plan_.weave.inner_b * sides.items_b);
    take_kernel(in_lanes ? near_->weave_near[item_] : kernels_.weave[item_]);
    inside_ = sides.whole;
    take_a(sides.axis_a, sides.items_a);
    take_b(sides.axis_b, sides.items_b);
    return true;
  }

  // In the nearest cache, and not of whole tiles only.
  [[nodiscard]] bool suits_lanes(std::int64_t rows, std::int64_t columns) const {
    const std::int64_t side = width_ / geometry_.run;
    return near_ != nullptr && geometry_.bytes <= nearest && (rows % side != 0 || columns % side != 0);
  }

  void transpose(std::size_t across) {
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
    // A row that two threads write would go to and fro between their caches.
    if (is_small || (threads_ > 1 && (long_rows || plan_.diagonal))) block_a = rows;
    // Where one of them ends before its block does, the other goes on for longer.
    take_a(0, in_tiles(rows, block_a * (block_b / lesser(block_b, columns)), side));
    take_b(across, in_tiles(columns, block_b * (block_a / lesser(block_a, rows)), side));
  }

  // In blocks as large as leaves some for each thread: where rows begin with lines, less of these; else fewer of them,
  // because lines that two blocks share take time.
  void stage(std::size_t across, bool lines) {
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
  [[nodiscard]] bool pays_to_stage(std::size_t across, bool lines) const {
    return kernels_.transpose_staged[item_] != nullptr &&
           geometry_.axes[0].extent >= (lines ? 2 * line : shortest_staged) / geometry_.run &&
           geometry_.axes[across].extent >= line / geometry_.run && !(lines && (geometry_.run > 4 || in_planes(across)));
  }

  // Rows of one side are short, and each begins where the one before ends.
  [[nodiscard]] bool goes_in_order(std::size_t across) const {
    const Step &a = geometry_.axes[0], &b = geometry_.axes[across];
    const std::int64_t written = a.extent * geometry_.run, read = b.extent * geometry_.run;
    return (read <= strip && magnitude(a.from) == read) || (written <= 4 * line && b.to == written);
  }

  // Both sides go on from end to end within what the second cache holds.
  [[nodiscard]] bool in_planes(std::size_t across) const {
    const Step &a = geometry_.axes[0], &b = geometry_.axes[across];
    const std::int64_t size = a.extent * b.extent * geometry_.run;
    return size <= near && b.to == a.extent * geometry_.run && magnitude(a.from) == b.extent * geometry_.run;
  }

  void strided() {
    plan_.method = Method::strided;
    take_kernel(kernels_.strided[item_]);
    const std::int64_t most = rows_block >> item_;
    const std::size_t along = closest(no_axis);
    take_a(along, evenly(geometry_.axes[along].extent, most, alone()));
    // What is short is done without a division.
    take_b(closest(along), geometry_.bytes <= rows_block ? most : greater(1, most / lesser(plan_.a.extent, plan_.block_a)));
  }

  // Along every axis but one the destination goes on by whole lines.
  [[nodiscard]] bool steps_in_lines(std::size_t but) const {
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (i != but && geometry_.axes[i].to % line != 0) return false;
    }
    return true;
  }

  // A transpose one side of which has a lane's bytes, and the other a vector's: it is better done by tiles than by a
  // program in lanes.
  [[nodiscard]] bool fills_lanes() const {
    if (kernels_.shuffles == nullptr || item_ == item_sizes || geometry_.axes[0].to != geometry_.run) return false;
    const std::size_t across = next_to_itself_in_source();
    if (across == no_axis) return false;
    const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent;
    return lesser(rows, columns) >= lane_width / geometry_.run && greater(rows, columns) >= width_ / geometry_.run;
  }

  // Every cell writes whole lines, if the first does.
  [[nodiscard]] bool fills_lines(const Cell& cell) const {
    const Program& program = plan_.program;
    if ((!program.regular && !program.lines) || plan_.a.to % line != 0) return false;
    for (std::size_t i = 0; i < program.destinations; ++i) {
      if (program.destination[i].bytes != ~std::uint64_t{0} || program.destination[i].offset % line != 0) return false;
    }
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (cell.items[i] == 1 && i != cell.along && geometry_.axes[i].to % line != 0) return false;
    }
    return true;
  }

  // The axis, other than the first, along which the runs of the source lie next to each other.
  [[nodiscard]] std::size_t next_to_itself_in_source() const {
    for (std::size_t i = 1; i < geometry_.rank; ++i) {
      if (magnitude(geometry_.axes[i].from) == geometry_.run) return i;
    }
    return no_axis;
  }

  [[nodiscard]] std::size_t closest(std::size_t but) const {
    std::size_t best = no_axis;
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (i == but) continue;
      if (best == no_axis || closeness(geometry_.axes[i].to, geometry_.axes[i].from) <
                                 closeness(geometry_.axes[best].to, geometry_.axes[best].from)) {
        best = i;
      }
    }
    return best;
  }

  // Whose items lie on pages of their own in the source, and closest together in the destination.
  [[nodiscard]] std::size_t next_on_other_pages(std::size_t but) const {
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (i != but && magnitude(geometry_.axes[i].from) >= page) return i;
    }
    return no_axis;
  }

  [[nodiscard]] std::size_t closest_in_source() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < geometry_.rank; ++i) {
      if (magnitude(geometry_.axes[i].from) < magnitude(geometry_.axes[best].from)) best = i;
    }
    return best;
  }

  Plan& plan_;
  const Geometry& geometry_;
  const Kernels& kernels_;
  const Kernels* near_;
  const PlanOptions& options_;
  std::int64_t width_;
  std::size_t item_;
  std::int64_t threads_;  // at most so many are worth it
  bool programs_;
  std::uint64_t inside_ = 0;  // axes along which there is no loop but over the blocks of a and b
};

}  // namespace

void schedule(Plan& plan, const Engine& engine, const PlanOptions& options) noexcept {
  plan.engine = engine.name;
  Scheduler scheduler(plan, engine, options);
  scheduler.choose();
  scheduler.loops();
  plan.threads = 1;
  plan.at_once = plan.blocks == 1 && !plan.streaming;
  if (plan.blocks == 1) return;
  plan.threads = static_cast<int>(lesser(plan.blocks, scheduler.threads()));
}

}  // namespace dlspec::optimized
