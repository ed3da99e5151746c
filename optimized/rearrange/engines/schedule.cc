#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/dword_shuffle.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t copy_block = std::int64_t{1} << 17;  // bytes of a run per kernel call
constexpr std::int64_t stream_from = 6 << 20;               // payload in bytes that exceeds a core's own caches
constexpr std::int64_t runs_stream_from = 12 << 20;         // the same for runs copied by one thread
constexpr std::int64_t min_streamed_run = 1024;             // bytes of a run
constexpr std::int64_t rows_block = std::int64_t{1} << 16;
constexpr std::int64_t min_fill_row = 64;        // bytes of a row
constexpr std::int64_t min_tiled_elements = 32;  // with fewer, setting up a tile takes longer than the copy

// Index i has 1 << i bytes; element_sizes for other runs.
std::size_t size_index_of(std::int64_t run) {
  for (std::size_t i = 0; i < element_sizes; ++i) {
    if (run == std::int64_t{1} << i) return i;
  }
  return element_sizes;
}

// At least one.
std::int64_t threads_for(std::int64_t bytes, const PlanOptions& options) {
  const std::int64_t each = max(1, options.bytes_per_thread);
  if (bytes / 2 < each) return 1;  // saves a division
  return min(bytes / each, options.threads > 0 ? options.threads : default_threads());
}

}  // namespace

Scheduler::Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options)
    : plan_(plan),
      geometry_(plan.geometry),
      kernels_(*engine.kernels),
      l1_kernels_(engine.l1_kernels),
      options_(options),
      width_(static_cast<std::int64_t>(engine.width)),
      size_index_(size_index_of(plan.geometry.run)),
      threads_(threads_for(plan.geometry.bytes, options)),
      may_shuffle_(options.byte_shuffles &&
                   (engine.kernels->byte_shuffle != nullptr || engine.kernels->lane_shuffle != nullptr)) {}

void Scheduler::choose() {
  plan_.peel_axis = no_axis;
  plan_.diagonal = false;
  plan_.a = plan_.b = {1, 0, 0};
  if (geometry_.rank == 0) return copy();
  if (size_index_ != element_sizes && geometry_.axes[0].to == geometry_.run && geometry_.axes[0].from == 0 &&
      geometry_.axes[0].extent * geometry_.run >= min_fill_row) {
    return fill();
  }
  ShuffleTile tile;
  if (may_shuffle_ && kernels_.byte_shuffle != nullptr && make_line_shuffle(geometry_, tile, plan_.byte_shuffle) &&
      byte_shuffle(tile))
    return;
  if (may_shuffle_ && !is_lane_transpose() && make_byte_shuffle(geometry_, tile, plan_.byte_shuffle)) {
    // A byte shuffle that is not unrolled handles its windows one by one: register tiles have a higher throughput.
    if (!plan_.byte_shuffle.is_unrolled && indexed_transpose_in_lanes()) return;
    if (byte_shuffle(tile)) return;
  }
  if (size_index_ == element_sizes) return has_short_runs() ? triple_transpose() : runs();
  if (geometry_.axes[0].to == geometry_.run && geometry_.bytes > (min_tiled_elements << size_index_)) {
    const std::size_t across = unit_stride_source_axis();
    if (across != no_axis && indexed_transpose(across, false)) return;
    if (across != no_axis) return transpose(across);
  }
  strided();
}

void Scheduler::copy() {
  plan_.method = Method::copy;
  set_kernel(kernels_.copy, kernels_.copy_streaming, streams_from(stream_from));
  plan_.a = {geometry_.run, 1, 1};
  plan_.block_a = div_round_up(balanced_block(geometry_.run, copy_block, threads_), cache_line) * cache_line;
  plan_.block_b = 1;
}

void Scheduler::runs() {
  plan_.method = Method::runs;
  plan_.block_a = 1;
  const bool whole_lines =
      geometry_.run >= min_streamed_run || (geometry_.run % cache_line == 0 && strides_are_whole_lines(no_axis));
  set_kernel(kernels_.runs, whole_lines ? kernels_.runs_streaming : nullptr, streams_from(runs_stream_from));
  // Non-temporal stores are insensitive to locality: read the source sequentially.
  const std::size_t along = plan_.streaming ? min_source_stride_axis() : min_stride_axis(no_axis);
  set_b(along, balanced_block(geometry_.axes[along].extent, max(1, rows_block / geometry_.run), inner_axis_parts()));
  // Broadcast rows stay in a cache, and the destination may as well.
  if (plan_.b.from == 0) set_kernel(kernels_.runs);
  if (!plan_.streaming) return;
  if (const std::size_t second = page_stride_axis(along); second != no_axis) set_a(second, streams);
}

void Scheduler::fill() {
  plan_.method = Method::fill;
  set_kernel(kernels_.fill[size_index_]);
  set_a(0, balanced_block(geometry_.axes[0].extent, rows_block / geometry_.run, inner_axis_parts()));
  const std::int64_t row = min(plan_.a.extent, plan_.block_a) * geometry_.run;
  set_b(min_stride_axis(0), max(1, rows_block / row));
}

bool Scheduler::byte_shuffle(const ShuffleTile& tile) {
  const bool in_lanes = kernels_.byte_shuffle == nullptr;
  if (in_lanes && !make_lane_shuffle(geometry_, tile, plan_.byte_shuffle, width_, plan_.lane_shuffle)) return false;
  plan_.method = Method::byte_shuffle;
  std::int64_t bytes = geometry_.run;
  for (std::size_t i = 0; i < geometry_.rank; ++i) bytes *= tile.extents[i];
  if (tile.axis != no_axis) {
    const Axis& axis = geometry_.axes[tile.axis];
    const std::int64_t extent = tile.extents[tile.axis];
    // A lane shuffle handles the tail together with the last full tile.
    plan_.a = {plan_.byte_shuffle.full_tiles + (plan_.byte_shuffle.has_tail && !in_lanes ? 1 : 0), extent * axis.to,
               extent * axis.from};
    kernel_axes_ |= std::uint64_t{1} << tile.axis;
  }
  const std::size_t rank = geometry_.rank < max_rank ? geometry_.rank : max_rank;
  std::size_t next = 0;
  while (next < rank && (next == tile.axis || tile.extents[next] != 1)) ++next;
  plan_.block_a = balanced_block(plan_.a.extent, max(1, rows_block / bytes), next < rank ? 1 : threads_);
  set_b(next < rank ? next : no_axis, max(1, plan_.block_a / plan_.a.extent));
  for (std::size_t i = 0; i < rank; ++i) kernel_axes_ |= std::uint64_t{tile.extents[i] != 1} << i;
  if (in_lanes) {
    set_kernel(bytes == geometry_.bytes ? kernels_.lane_shuffle_single : kernels_.lane_shuffle);
    return true;
  }
  const bool large = streams_from(stays_in_l3() ? large_l3_stream_from : stream_from);
  set_kernel(kernels_.byte_shuffle, writes_whole_lines(tile) ? kernels_.byte_shuffle_streaming : nullptr,
             large || (options_.stream_from < 0 && keeps_source_in_l2()));
  plan_.peel_axis = tile.axis;
  if (plan_.byte_shuffle.is_unrolled && !plan_.streaming && bytes == geometry_.bytes) set_single_tile_kernel();
  return true;
}

void Scheduler::set_single_tile_kernel() {
  ByteShuffle& shuffle = plan_.byte_shuffle;
  const bool in_dwords = has_dword_granularity(geometry_);
  if (in_dwords) convert_to_dwords(shuffle);
  const KernelsByWindows& kernels = in_dwords ? kernels_.dword_shuffle_single : kernels_.byte_shuffle_single;
  plan_.kernel = kernels.of[shuffle.sources - 1][shuffle.destinations - 1];
}

void Scheduler::strided() {
  plan_.method = Method::strided;
  set_kernel(kernels_.strided[size_index_]);
  const std::int64_t max_elements = rows_block >> size_index_;
  const std::size_t along = min_stride_axis(no_axis);
  set_a(along, balanced_block(geometry_.axes[along].extent, max_elements, inner_axis_parts()));
  // A short copy saves the division.
  set_b(min_stride_axis(along),
        geometry_.bytes <= rows_block ? max_elements : max(1, max_elements / min(plan_.a.extent, plan_.block_a)));
}

// True if a thread's L2 (2 MiB) holds its part of the source, but not of both operands: non-temporal stores then keep
// the source cached.
bool Scheduler::keeps_source_in_l2() const {
  const std::int64_t source = (geometry_.from_range.end - geometry_.from_range.begin) / threads_;
  return source <= l2_size && source + geometry_.bytes / threads_ > l2_size + l2_size / 4;
}

// True if the destination strides of all other axes are multiples of a cache line.
bool Scheduler::strides_are_whole_lines(std::size_t except) const {
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (i != except && geometry_.axes[i].to % cache_line != 0) return false;
  }
  return true;
}

// A transpose with at least a lane on one side and a vector on the other: register tiles beat a lane shuffle.
bool Scheduler::is_lane_transpose() const {
  if (kernels_.lane_shuffle == nullptr || size_index_ == element_sizes || geometry_.axes[0].to != geometry_.run)
    return false;
  const std::size_t across = unit_stride_source_axis();
  if (across == no_axis) return false;
  const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent;
  return min(rows, columns) >= lane_width / geometry_.run && max(rows, columns) >= width_ / geometry_.run;
}

// True if every tile writes whole cache lines, provided that the first one is aligned.
bool Scheduler::writes_whole_lines(const ShuffleTile& tile) const {
  const ByteShuffle& shuffle = plan_.byte_shuffle;
  if ((!shuffle.is_unrolled && !shuffle.whole_lines) || plan_.a.to % cache_line != 0) return false;
  for (std::size_t i = 0; i < shuffle.destinations; ++i) {
    if (shuffle.destination[i].mask != ~std::uint64_t{0} || shuffle.destination[i].offset % cache_line != 0)
      return false;
  }
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (tile.extents[i] == 1 && i != tile.axis && geometry_.axes[i].to % cache_line != 0) return false;
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
  scheduler.loops();
  plan.threads = 1;
  plan.is_single_block = plan.blocks == 1 && !plan.streaming;
  if (plan.blocks == 1) return;
  plan.threads = static_cast<int>(min(plan.blocks, scheduler.threads()));
}

}  // namespace dlspec::optimized
