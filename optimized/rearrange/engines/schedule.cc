#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/engines/settings.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr double block_cycles = 15;          // a call of a kernel, and the loops around it
constexpr double min_narrower_cycles = 150;  // below, planning for more kernels takes longer than all copies save
// Bytes without a gap of a line from which lines are prefetched for write, 1 KiB ahead. Behind the end of rows of 40
// bytes, 2,560 bytes apart, a byte shuffle took 4 times as long with it.
constexpr std::int64_t min_prefetched = 2048;

// Index i has 1 << i bytes; element_sizes for other runs.
std::size_t size_index_of(std::int64_t run) {
  for (std::size_t i = 0; i < element_sizes; ++i) {
    if (run == std::int64_t{1} << i) return i;
  }
  return element_sizes;
}

// Bytes of the destination that are written without a gap of a cache line.
std::int64_t written_together(const Geometry& geometry) {
  std::int64_t bytes = geometry.run;
  for (std::size_t i = 0; i < geometry.rank && geometry.axes[i].to - bytes < cache_line; ++i)
    bytes += (geometry.axes[i].extent - 1) * geometry.axes[i].to;
  return bytes;
}

bool is_prefetched(const Geometry& geometry, const Machine& machine) {
  return prefetches_to_write(machine.core) && written_together(geometry) >= min_prefetched &&
         geometry.from_range.length() > machine.l1 - geometry.to_range.length();
}

// At least one.
std::int64_t threads_for(std::int64_t bytes, const PlanOptions& options) {
  const std::int64_t each = max(1, options.bytes_per_thread);
  if (bytes / 2 < each) return 1;  // saves a division
  return min(bytes / each, options.threads > 0 ? options.threads : default_threads());
}

}  // namespace

// Those that are often the best come first: what takes more instructions than the best one in all is not counted on.
const Scheduler::Candidate Scheduler::candidates[] = {
    {Method::copy, &Scheduler::copy, false},
    {Method::fill, &Scheduler::fill, false},
    {Method::fill, &Scheduler::fill_by_source, false},
    {Method::transpose, &Scheduler::transpose, true},
    {Method::runs, &Scheduler::runs, true},
    {Method::runs, &Scheduler::runs_by_destination, true},
    {Method::strided, &Scheduler::strided, false},
    {Method::strided, &Scheduler::strided_by_source, false},
    {Method::strided, &Scheduler::strided_by_destination, false},
    {Method::indexed_transpose, &Scheduler::indexed_transpose, true},
    {Method::line_shuffle, &Scheduler::line_shuffle, false},
    {Method::byte_shuffle, &Scheduler::byte_shuffle, false},
    {Method::lane_shuffle, &Scheduler::lane_shuffle, true},
};

Scheduler::Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options)
    : plan_(plan),
      geometry_(plan.geometry),
      options_(options),
      machine_(options.machine != nullptr ? *options.machine : settings().machine),
      engine_(engine),
      size_index_(size_index_of(plan.geometry.run)),
      prefetching_(is_prefetched(plan.geometry, machine_)),
      threads_(threads_for(plan.geometry.bytes, options)) {}

void Scheduler::choose() {
  consider(options_.methods);
  if (best_.candidate == nullptr) consider(all_methods);
  restore_tables();
  static_cast<Choice&>(plan_) = best_.choice;
  make_loops(plan_, plan_.kernel_axes);
  set_single_tile_kernel(*best_.row->kernels);
}

void Scheduler::consider(Methods methods) {
  for (const Engine* row = &engine_; row != nullptr; row = row->narrower) {
    if (row != &engine_ && (!options_.narrower || is_best_below(min_narrower_cycles))) return;
    for (const Candidate& candidate : candidates) {
      if ((methods & methods_of(candidate.method)) == 0 || (row != &engine_ && !candidate.narrower)) continue;
      consider(candidate, *row);
      if (candidate.method == Method::copy && best_.candidate != nullptr) return;  // nothing is faster
    }
  }
}

// With and without non-temporal stores where L2 does not hold the payload twice, as source and destination.
void Scheduler::consider(const Candidate& candidate, const Engine& row) {
  const bool is_given = options_.stream_from >= 0;
  const bool must = must_stream();
  for (const bool may_stream : {false, true}) {
    if (may_stream ? !must && (is_given || geometry_.bytes < machine_.l2 / 2) : must) continue;
    if (!make(candidate, row, may_stream)) return;
    if (may_stream && !must && !plan_.streaming) return;
    make_loops(plan_, plan_.kernel_axes);
    work_ += block_cycles * static_cast<double>(plan_.blocks);
    if (best_.candidate != nullptr && work_ >= best_.cycles) continue;
    plan_.cycles = cycles();
    if (best_.candidate != nullptr && plan_.cycles >= best_.cycles) continue;
    best_ = {plan_.cycles, work_, &candidate, &row, plan_};
  }
}

// Makes the tables of the best method again if those of another one have replaced them.
void Scheduler::restore_tables() {
  const Best best = best_;
  const bool is_shuffle =
      best.candidate->method == Method::byte_shuffle || best.candidate->method == Method::line_shuffle;
  const bool is_indexed = best.candidate->method == Method::indexed_transpose;
  if ((!is_shuffle || shuffle_method_ == best.candidate->method) && (!is_indexed || offsets_row_ == best.row)) return;
  best_.candidate = nullptr;
  static_cast<void>(make(*best.candidate, *best.row, best.choice.streaming));
  best_ = best;
}

bool Scheduler::make(const Candidate& candidate, const Engine& row, bool may_stream) {
  static_cast<Choice&>(plan_) = Choice{};
  plan_.method = candidate.method;
  plan_.row = row.name;
  plan_.prefetching = prefetching_;
  plan_.aligning = aligns_runs(machine_.core, geometry_.run > 4 * static_cast<std::int64_t>(row.width));
  row_ = &row;
  kernels_ = row.kernels;
  each_ = row.cycles + static_cast<std::size_t>(instructions_of(machine_.core));
  width_ = static_cast<std::int64_t>(row.width);
  may_stream_ = may_stream;
  work_ = instructions_ = 0;
  streamed_part_ = 1;
  tile_a_ = tile_b_ = 1;
  for (std::size_t i = 0; i < geometry_.rank; ++i) tile_.extents[i] = 1;
  return (this->*candidate.plan)();
}

// Cycles of the whole copy by one thread.
double Scheduler::cycles() const {
  const auto span = [](const ByteRange& range) { return static_cast<double>(range.length()); };
  if (span(geometry_.from_range) + span(geometry_.to_range) <= static_cast<double>(machine_.l1) / 2) return work_;
  LoopCounter loops(plan_.method == Method::copy ? 1 : geometry_.run);  // of a copy, a counts bytes
  for (std::size_t i = 0; i < geometry_.rank; ++i)
    loops.add(tile_.extents[i], geometry_.axes[i].to, geometry_.axes[i].from);
  const std::int64_t a = min(plan_.block_a, plan_.a.extent), b = min(plan_.block_b, plan_.b.extent);
  loops.add(min(tile_b_, b), plan_.b.to, plan_.b.from);
  loops.add(min(tile_a_, a), plan_.a.to, plan_.a.from);
  loops.join();
  loops.set_instructions(instructions_);
  const auto add_tiles = [&](std::int64_t extent, std::int64_t tile, const Axis& axis) {
    if (tile < extent)
      loops.add(div_round_up(extent, tile), tile * axis.to, tile * axis.from);  // fits: within the span
  };
  add_tiles(a, tile_a_, plan_.a);
  add_tiles(b, tile_b_, plan_.b);
  for (std::size_t i = 0; i < plan_.depth; ++i) loops.add(plan_.loops[i].count, plan_.loops[i].to, plan_.loops[i].from);
  const auto fetches = [&](bool streaming) { return cycles_of(loops.count(machine_, streaming), machine_.core); };
  if (!plan_.streaming || streamed_part_ == 1) return work_ + fetches(plan_.streaming);
  // Non-temporal stores wait in the store buffer for ordinary ones before them that miss the caches.
  return work_ + streamed_part_ * fetches(true) + 2 * (1 - streamed_part_) * fetches(false);
}

// True if the destination strides of all other axes are multiples of a cache line.
bool Scheduler::strides_are_whole_lines(std::size_t except) const {
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i != except && geometry_.axes[i].to % cache_line != 0) return false;
  }
  return true;
}

// The unit-stride axis of the source, other than the first.
std::size_t Scheduler::unit_stride_source_axis() const {
  for (std::size_t i = 1; i < geometry_.rank; ++i) {
    if (magnitude(geometry_.axes[i].from) == geometry_.run) return i;
  }
  return no_axis;
}

// True if the smaller stride in either operand puts the axes from `first` on in the order of the destination.
bool Scheduler::has_order_of_destination(std::size_t first) const {
  for (std::size_t i = first + 1; i < geometry_.rank; ++i) {
    const Axis &inner = geometry_.axes[i - 1], &outer = geometry_.axes[i];
    if (min_stride(outer.to, outer.from) < min_stride(inner.to, inner.from)) return false;
  }
  return true;
}

std::size_t Scheduler::min_stride_axis(std::size_t except) const {
  std::size_t best = no_axis;
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i == except) continue;
    if (best == no_axis || min_stride(geometry_.axes[i].to, geometry_.axes[i].from) <
                               min_stride(geometry_.axes[best].to, geometry_.axes[best].from)) {
      best = i;
    }
  }
  return best;
}

// The axis with the smallest destination stride whose source stride is at least a page.
std::size_t Scheduler::page_stride_axis(std::size_t except) const {
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i != except && magnitude(geometry_.axes[i].from) >= page_size) return i;
  }
  return no_axis;
}

std::size_t Scheduler::min_source_stride_axis() const {
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
  plan.threads = 1;
  plan.is_single_block = plan.blocks == 1 && !plan.streaming;
  if (plan.blocks == 1) return;
  plan.threads = static_cast<int>(min(plan.blocks, scheduler.threads()));
}

}  // namespace dlspec::optimized
