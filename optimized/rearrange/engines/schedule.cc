#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/plan/words.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t copy_block = std::int64_t{1} << 17;  // bytes of a run done in one go
constexpr std::int64_t stream_from = 6 << 20;               // payload that no cache near the processor holds
constexpr std::int64_t runs_from = 12 << 20;                // of runs that one thread copies
constexpr std::int64_t shortest_streamed = 1024;            // bytes of a run
constexpr std::int64_t rows_block = std::int64_t{1} << 16;
constexpr std::int64_t shortest_fill = 64;  // bytes of a row
constexpr std::int64_t few = 32;            // items; fewer are copied by the time that a tile is set up

// Item i has 1 << i bytes; item_sizes for other runs.
std::size_t item_of(std::int64_t run) {
  for (std::size_t i = 0; i < item_sizes; ++i) {
    if (run == std::int64_t{1} << i) return i;
  }
  return item_sizes;
}

// At least one, and as many as are worth it.
std::int64_t threads_for(std::int64_t bytes, const PlanOptions& options) {
  const std::int64_t each = greater(1, options.bytes_per_thread);
  if (bytes / 2 < each) return 1;  // without a division
  return lesser(bytes / each, options.threads > 0 ? options.threads : default_threads());
}

}  // namespace

Scheduler::Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options)
    : plan_(plan),
      geometry_(plan.geometry),
      kernels_(*engine.kernels),
      near_(engine.near),
      options_(options),
      width_(static_cast<std::int64_t>(engine.width)),
      item_(item_of(plan.geometry.run)),
      threads_(threads_for(plan.geometry.bytes, options)),
      programs_(options.programs && (engine.kernels->program != nullptr || engine.kernels->shuffles != nullptr)) {}

void Scheduler::choose() {
  plan_.lines = no_axis;
  plan_.diagonal = false;
  plan_.a = plan_.b = {1, 0, 0};
  if (geometry_.rank == 0) return copy();
  if (item_ != item_sizes && geometry_.axes[0].to == geometry_.run && geometry_.axes[0].from == 0 &&
      geometry_.axes[0].extent * geometry_.run >= shortest_fill) {
    return fill();
  }
  Cell cell;
  if (programs_ && kernels_.program != nullptr && make_line_program(geometry_, cell, plan_.program) && program(cell))
    return;
  if (programs_ && !fills_lanes() && make_program(geometry_, cell, plan_.program)) {
    // Many windows are worked through one by one: tiles do more at a time.
    if (!plan_.program.regular && weave_in_lanes()) return;
    if (program(cell)) return;
  }
  if (item_ == item_sizes) return short_transpose() ? odd_transpose() : runs();
  if (geometry_.axes[0].to == geometry_.run && geometry_.bytes > (few << item_)) {
    const std::size_t across = next_to_itself_in_source();
    if (across != no_axis && weave(across, false)) return;
    if (across != no_axis) return transpose(across);
  }
  strided();
}

void Scheduler::copy() {
  plan_.method = Method::copy;
  take_kernel(kernels_.copy, kernels_.copy_streaming, large_for(stream_from));
  plan_.a = {geometry_.run, 1, 1};
  plan_.block_a = in_blocks(evenly(geometry_.run, copy_block, threads_), line) * line;
  plan_.block_b = 1;
}

void Scheduler::runs() {
  plan_.method = Method::runs;
  plan_.block_a = 1;
  const bool whole_lines = geometry_.run >= shortest_streamed || (geometry_.run % line == 0 && steps_in_lines(no_axis));
  take_kernel(kernels_.runs, whole_lines ? kernels_.runs_streaming : nullptr, large_for(runs_from));
  // Stores past the caches do not mind where they go: then the source is read from its beginning to its end.
  const std::size_t along = plan_.streaming ? closest_in_source() : closest(no_axis);
  take_b(along, evenly(geometry_.axes[along].extent, greater(1, rows_block / geometry_.run), alone()));
  // Rows that are repeated stay in a cache, and so may what they are copied to.
  if (plan_.b.from == 0) take_kernel(kernels_.runs);
  if (!plan_.streaming) return;
  if (const std::size_t second = next_on_other_pages(along); second != no_axis) take_a(second, streams);
}

void Scheduler::fill() {
  plan_.method = Method::fill;
  take_kernel(kernels_.fill[item_]);
  take_a(0, evenly(geometry_.axes[0].extent, rows_block / geometry_.run, alone()));
  const std::int64_t row = lesser(plan_.a.extent, plan_.block_a) * geometry_.run;
  take_b(closest(0), greater(1, rows_block / row));
}

bool Scheduler::program(const Cell& cell) {
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

void Scheduler::only_cell() {
  Program& program = plan_.program;
  const bool in_words = consists_of_words(geometry_);
  if (in_words) count_words(program);
  const OnceByWindows& kernels = in_words ? kernels_.program_words : kernels_.program_once;
  plan_.kernel = kernels.of[program.sources - 1][program.destinations - 1];
}

void Scheduler::strided() {
  plan_.method = Method::strided;
  take_kernel(kernels_.strided[item_]);
  const std::int64_t most = rows_block >> item_;
  const std::size_t along = closest(no_axis);
  take_a(along, evenly(geometry_.axes[along].extent, most, alone()));
  // What is short is done without a division.
  take_b(closest(along),
         geometry_.bytes <= rows_block ? most : greater(1, most / lesser(plan_.a.extent, plan_.block_a)));
}

// A thread's second cache holds its part of the source, but not of both: stores past it leave the source where it is.
bool Scheduler::spares_the_source() const {
  const std::int64_t source = (geometry_.from_range.end - geometry_.from_range.begin) / threads_;
  return source <= second_cache && source + geometry_.bytes / threads_ > second_cache + second_cache / 4;
}

// Along every axis but one the destination goes on by whole lines.
bool Scheduler::steps_in_lines(std::size_t but) const {
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i != but && geometry_.axes[i].to % line != 0) return false;
  }
  return true;
}

// A transpose one side of which has a lane's bytes, and the other a vector's: it is better done by tiles than by a
// program in lanes.
bool Scheduler::fills_lanes() const {
  if (kernels_.shuffles == nullptr || item_ == item_sizes || geometry_.axes[0].to != geometry_.run) return false;
  const std::size_t across = next_to_itself_in_source();
  if (across == no_axis) return false;
  const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent;
  return lesser(rows, columns) >= lane_width / geometry_.run && greater(rows, columns) >= width_ / geometry_.run;
}

// Every cell writes whole lines, if the first does.
bool Scheduler::fills_lines(const Cell& cell) const {
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
std::size_t Scheduler::next_to_itself_in_source() const {
  for (std::size_t i = 1; i < geometry_.rank; ++i) {
    if (magnitude(geometry_.axes[i].from) == geometry_.run) return i;
  }
  return no_axis;
}

std::size_t Scheduler::closest(std::size_t but) const {
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
std::size_t Scheduler::next_on_other_pages(std::size_t but) const {
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i != but && magnitude(geometry_.axes[i].from) >= page) return i;
  }
  return no_axis;
}

std::size_t Scheduler::closest_in_source() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < geometry_.rank; ++i) {
    if (magnitude(geometry_.axes[i].from) < magnitude(geometry_.axes[best].from)) best = i;
  }
  return best;
}

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
