// Kernel selection for transposes: indexed, tiled, in lanes, packed, and those of triple elements (3, 6, 12 bytes).
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/tile_offsets.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t min_packed_row = 1024;                 // bytes of a destination row
constexpr std::int64_t packed_block = std::int64_t{1} << 14;  // bytes of a block's row in both operands
constexpr std::int64_t triple_block = 32;  // elements of a block along both axes, for triple elements without a kernel
constexpr std::int64_t min_indexed_bytes = 256;  // copying less takes no longer than making the tables
constexpr std::int64_t min_tiled_elements = 32;  // with fewer, setting up a tile takes longer than the copy
constexpr double indexed_cycles = 1.3;           // of a tile whose rows come from tables, to one without
constexpr double triple_cycles = 0.6;            // of an element of 3, 6 or 12 bytes
constexpr double packed_cycles = 1.4;            // of a tile that goes through a packing buffer
constexpr std::int64_t streamed_row = 256;       // bytes of a block's destination row and
constexpr std::int64_t streamed_strip = 128;     // of its source row, with non-temporal stores
constexpr std::int64_t tlb_bound_stride = std::int64_t{1} << 20;  // bytes; from here on TLB misses dominate

// Extends a block by up to three tiles, if otherwise the last block had less than a tile.
std::int64_t extend_to_whole_tiles(std::int64_t extent, std::int64_t block, std::int64_t side) {
  if (extent <= block || extent > 16 * side) return block;  // among 16 tiles the masked one does not matter
  for (std::int64_t more = 0; more < 4; ++more) {
    const std::int64_t left = extent % (block + more * side);
    if (left == 0 || left >= side) return block + more * side;
  }
  return block;
}

}  // namespace

bool Scheduler::triple_transpose(std::size_t across) {
  for (std::size_t i = 0; i < triple_sizes; ++i) {
    if (geometry_.run == std::int64_t{3} << i && kernels_->transpose_triple[i] != nullptr) {
      triple_tiles(i, across);
      tile_a_ = plan_.block_a;
      tile_b_ = plan_.block_b;
      work_ = elements() * triple_cycles;
      return true;
    }
  }
  if (row_->width != 0 || geometry_.run >= cache_line / 2) return false;
  set_kernel(kernels_->strided_any);
  set_a(0, triple_block);
  set_b(across, triple_block);
  work_ = elements() * 1.1 * strided_cycles(geometry_.run);
  return true;
}

// Square blocks suit both operands.
void Scheduler::triple_tiles(std::size_t size, std::size_t across) {
  const std::int64_t run = geometry_.run;
  const bool are_long =
      geometry_.axes[0].extent >= min_packed_row / run && geometry_.axes[across].extent >= cache_line / run;
  set_kernel(kernels_->transpose_triple[size], are_long ? kernels_->transpose_triple_packed[size] : nullptr);
  set_a(0, triple_row / run);
  set_b(across, triple_strip / run);
}

// Elements per tile, for sides of at most `max_rows`; 0: there is no such tile.
std::int64_t Scheduler::filled_per_tile(std::int64_t max_rows, bool may_split, TileAxes& axes) {
  const std::int64_t side = width_ / geometry_.run;
  offsets_row_ = row_;
  if (!make_tile_offsets(geometry_, max_rows, may_split, axes, plan_.tile_offsets)) return 0;
  const std::int64_t a = plan_.tile_offsets.inner_a * axes.extent_a, b = plan_.tile_offsets.inner_b * axes.extent_b;
  return a * b / (div_round_up(a, side) * div_round_up(b, side));
}

bool Scheduler::has_tail(std::size_t axis, std::int64_t block) const {
  return axis != no_axis && geometry_.axes[axis].extent % block != 0;
}

// For tiles whose sides no single axis fills, but several do.
bool Scheduler::indexed_transpose() {
  if (size_index_ == element_sizes || geometry_.rank < 2 || geometry_.axes[0].to != geometry_.run) return false;
  const std::size_t across = unit_stride_source_axis();
  if (across == no_axis || kernels_->transpose_indexed[size_index_] == nullptr || geometry_.bytes < min_indexed_bytes)
    return false;
  const std::int64_t side = width_ / geometry_.run;
  const std::int64_t plain = min(geometry_.axes[0].extent, side) * min(geometry_.axes[across].extent, side);
  if (plain >= side * side / 2) return false;
  TileAxes axes;
  // Longer sides leave less of the edge tiles empty, but one side may take axes that the other needs, and a split axis
  // may have a tail.
  const std::int64_t one_tile = filled_per_tile(side, true, axes), several = filled_per_tile(max_tile_rows, true, axes);
  const std::int64_t whole = has_tail(axes.axis_a, axes.extent_a) || has_tail(axes.axis_b, axes.extent_b)
                                 ? filled_per_tile(max_tile_rows, false, axes)
                                 : several;
  const std::int64_t max_rows = several < one_tile ? side : max_tile_rows;
  if (whole < several || whole < one_tile) static_cast<void>(filled_per_tile(max_rows, true, axes));
  if (max(whole, max(several, one_tile)) <= plain) return false;
  const std::int64_t rows = plan_.tile_offsets.inner_a * axes.extent_a,
                     columns = plan_.tile_offsets.inner_b * axes.extent_b;
  const bool in_lanes = suits_lanes(rows, columns);
  set_kernel(in_lanes ? kernels_->transpose_indexed_l1[size_index_] : kernels_->transpose_indexed[size_index_]);
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if ((axes.whole >> i & 1) != 0) tile_.extents[i] = geometry_.axes[i].extent;
  }
  plan_.kernel_axes = axes.whole;
  set_a(axes.axis_a, axes.extent_a);
  set_b(axes.axis_b, axes.extent_b);
  tile_a_ = axes.extent_a;
  tile_b_ = axes.extent_b;
  plan_.edges_in_lanes = row_->width != cache_line || edges_in_lanes(machine_.core);
  const double each = elements() / static_cast<double>(plan_.tile_offsets.inner_a * plan_.a.extent) /
                      static_cast<double>(plan_.tile_offsets.inner_b * plan_.b.extent);
  work_ = each * indexed_block_cycles(in_lanes) * indexed_cycles;
  return true;
}

// Cycles of all blocks of a and b, the last of which may be shorter.
double Scheduler::indexed_block_cycles(bool in_lanes) const {
  const TileOffsets& offsets = plan_.tile_offsets;
  const auto block = [&](std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0.0;
    const std::int64_t rows = a * offsets.inner_a, columns = b * offsets.inner_b;
    return in_lanes ? tile_cycles(rows, columns, true) : indexed_tile_cycles(rows, columns);
  };
  if (plan_.a.extent == plan_.block_a && plan_.b.extent == plan_.block_b) return block(plan_.block_a, plan_.block_b);
  const std::int64_t whole_a = plan_.a.extent / plan_.block_a, tail_a = plan_.a.extent % plan_.block_a,
                     whole_b = plan_.b.extent / plan_.block_b, tail_b = plan_.b.extent % plan_.block_b;
  const auto a = static_cast<double>(whole_a), b = static_cast<double>(whole_b);
  return a * b * block(plan_.block_a, plan_.block_b) + b * block(tail_a, plan_.block_b) +
         a * block(plan_.block_a, tail_b) + block(tail_a, tail_b);
}

// Cycles of so many elements: full tiles and, unless they are widened to full ones, edge tiles at the ends.
double Scheduler::indexed_tile_cycles(std::int64_t rows, std::int64_t columns) const {
  const std::int64_t side = width_ / geometry_.run;
  const auto full = [&](std::int64_t count) {
    return count / side + (geometry_.bytes <= l1_payload && count > side && count % side > side / 2 ? 1 : 0);
  };
  const std::int64_t high = full(rows), wide = full(columns);
  const std::int64_t rows_left = rows - min(rows, high * side), columns_left = columns - min(columns, wide * side);
  double cycles = static_cast<double>(high * wide) * full_tile_cycles();
  if (rows_left != 0) cycles += static_cast<double>(wide) * tile_cycles(rows_left, side, false);
  if (columns_left != 0) cycles += static_cast<double>(high) * tile_cycles(side, columns_left, false);
  if (rows_left != 0 && columns_left != 0) cycles += tile_cycles(rows_left, columns_left, false);
  return cycles;
}

double Scheduler::full_tile_cycles() const {
  const std::int64_t stores = strides_are_whole_lines(0) ? 0 : width_ / geometry_.run;
  return each_->tile[size_index_] + static_cast<double>(stores) * each_->split_store;
}

// Cycles of a block of so many elements.
double Scheduler::tile_cycles(std::int64_t rows, std::int64_t columns, bool in_lanes) const {
  const KernelCycles& each = *each_;
  const std::int64_t side = width_ / geometry_.run, in_lane = max(1, lane_width / geometry_.run);
  if (in_lanes && rows >= side && columns >= in_lane) {
    return static_cast<double>(div_round_up(rows, side) * div_round_up(columns, in_lane)) * each.lanes[size_index_];
  }
  const double all = static_cast<double>(div_round_up(rows, side) * div_round_up(columns, side));
  if (rows >= side && columns >= side) return all * full_tile_cycles();
  // A side of one lane has a kernel of its own (cpu/kernels/narrow.h).
  if (each.edge_lanes[size_index_] != 0 && min(rows, columns) == in_lane && max(rows, columns) >= side)
    return all * 2 * each.edge_lanes[size_index_];
  // The edge tiles of 32-byte vectors are transposed in lanes; fewer rows than a vector take a store for each lane.
  if (each.lanes[size_index_] != 0 && min(rows, columns) >= in_lane) {
    const std::int64_t steps =
        rows >= side ? 2 * div_round_up(min(columns, side), in_lane) : 3 * div_round_up(rows, in_lane);
    return all * static_cast<double>(steps) * each.edge_lanes[size_index_];
  }
  return all * (each.edge[size_index_] + each.edge_store * static_cast<double>(min(columns, side)));
}

// True for payloads in L1 that are not whole tiles only.
bool Scheduler::suits_lanes(std::int64_t rows, std::int64_t columns) const {
  const std::int64_t side = width_ / geometry_.run;
  return kernels_->transpose_l1[size_index_] != nullptr && geometry_.bytes <= l1_payload &&
         (rows % side != 0 || columns % side != 0);
}

bool Scheduler::transpose() {
  if (geometry_.rank < 2 || geometry_.axes[0].to != geometry_.run) return false;
  const std::size_t across = unit_stride_source_axis();
  if (across == no_axis || is_fill()) return false;
  if (size_index_ == element_sizes) return triple_transpose(across);
  if (geometry_.bytes <= min_tiled_elements << size_index_) return false;
  tile_a_ = tile_b_ = max(1, width_ / geometry_.run);
  transpose_tiles(across);
  const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent;
  if (row_->width == 0) {
    work_ = elements() * (strided_cycles(geometry_.run) + 2 / static_cast<double>(min(plan_.block_a, rows)));
    return true;
  }
  const double planes = elements() / static_cast<double>(rows) / static_cast<double>(columns);
  work_ = planes * tile_cycles(rows, columns, suits_lanes(rows, columns)) * (plan_.streaming ? packed_cycles : 1);
  return true;
}

void Scheduler::transpose_tiles(std::size_t across) {
  const std::int64_t run = geometry_.run;
  const bool aligned = strides_are_whole_lines(0);
  if (may_stream_ && packing_pays(across, aligned)) {
    plan_.peel_axis = aligned ? 0 : no_axis;
    set_kernel(nullptr, kernels_->transpose_packed[size_index_]);
    tile_a_ = (aligned ? 128 : 256) / run;  // a panel (packed_transposes.h)
    tile_b_ = aligned ? 128 : 32;
    return packed_transpose(across, aligned);
  }
  plan_.peel_axis = 0;
  // Edge tiles are stored as without streaming.
  const std::int64_t rows = geometry_.axes[0].extent, columns = geometry_.axes[across].extent,
                     side = max(1, width_ / run), in_line = max(1, cache_line / run);
  const std::int64_t streamed = aligned ? rows / in_line * in_line * (columns / side * side) : 0;
  set_kernel(kernels_->transpose[size_index_], streamed != 0 ? kernels_->transpose_streaming[size_index_] : nullptr);
  streamed_part_ = static_cast<double>(streamed) / static_cast<double>(rows) / static_cast<double>(columns);
  if (plan_.streaming && magnitude(geometry_.axes[0].from) < tlb_bound_stride) {
    set_a(0, streamed_row / run);
    return set_b(across, streamed_strip / run);
  }
  const bool is_small = geometry_.bytes <= l1_payload, long_rows = geometry_.bytes <= l2_payload;
  const std::int64_t tile = cache_line / run;  // 32-byte vectors handle two such tiles per cache line
  const bool in_lines = width_ == cache_line || (2 * width_ == cache_line && run >= 2);
  // Those leave slow edge tiles where a side is no multiple of a line.
  const bool is_long = width_ == cache_line || min(rows, columns) >= 4 * tile;
  plan_.diagonal = !is_small && in_lines && is_long && geometry_.axes[across].to % cache_line == 0;
  if (!plan_.streaming && suits_lanes(rows, columns)) set_kernel(kernels_->transpose_l1[size_index_]);
  const bool is_tile = rows == side && columns == side && geometry_.axes[across].from > 0;
  if (!plan_.streaming && is_tile && geometry_.rank == 2 && width_ != 0)
    set_kernel(kernels_->transpose_single[size_index_]);
  // In L2, write long rows. Beyond it read long rows: stores retire without waiting. Diagonal order wants both.
  std::int64_t block_a = (long_rows || plan_.diagonal ? block_row : cache_line) / run;
  std::int64_t block_b = (is_small || !long_rows || plan_.diagonal ? block_row : cache_line) / run;
  if (plan_.diagonal) block_b = balanced_block(div_round_up(columns, tile), block_b / tile, threads_) * tile;
  const bool shared = threads_ > 1 && !is_small && (long_rows || plan_.diagonal);
  if (shared && geometry_.rank == 2 && columns < threads_ * tile) {
    // Too few rows to share: each thread gets a part of every row.
    block_a = balanced_block(div_round_up(rows, tile), block_a / tile, threads_) * tile;
    block_b = columns;
  } else if (is_small || shared) {
    block_a = rows;  // two threads that write one row would share cache lines (false sharing)
  }
  // Where one side ends before its block does, extend the other.
  set_a(0, extend_to_whole_tiles(rows, block_a * (block_b / min(block_b, columns)), side));
  set_b(across, extend_to_whole_tiles(columns, block_b * (block_a / min(block_a, rows)), side));
}

// Blocks as large as load balance allows (four per thread). Shrinks the destination rows if these are aligned; else the
// number of rows, because blocks that share a cache line cost time.
void Scheduler::packed_transpose(std::size_t across, bool aligned) {
  const Axis &a = geometry_.axes[0], &b = geometry_.axes[across];
  const std::int64_t min_blocks = threads_ == 1 ? 1 : 4 * threads_;
  const std::int64_t other_blocks = geometry_.bytes / geometry_.run / a.extent / b.extent;
  std::int64_t block_a = packed_block / geometry_.run, block_b = block_a;
  const auto are_too_few = [&] {
    return other_blocks * (a.extent / block_a + 1) * (b.extent / block_b + 1) < min_blocks;
  };
  std::int64_t& shrunk = aligned ? block_a : block_b;
  while (shrunk * geometry_.run > min_packed_row && are_too_few()) shrunk /= 2;
  set_a(0, block_a);
  set_b(across, block_b);
}

// For destination rows of many cache lines and source rows of at least one.
bool Scheduler::packing_pays(std::size_t across, bool aligned) const {
  return kernels_->transpose_packed[size_index_] != nullptr &&
         geometry_.axes[0].extent >= (aligned ? 2 * cache_line : min_packed_row) / geometry_.run &&
         geometry_.axes[across].extent >= cache_line / geometry_.run &&
         !(aligned && (geometry_.run > 4 || fits_l2_by_plane(across)));
}

// True if each 2-D plane is contiguous in both operands and fits L2.
bool Scheduler::fits_l2_by_plane(std::size_t across) const {
  const Axis &a = geometry_.axes[0], &b = geometry_.axes[across];
  const std::int64_t size = a.extent * b.extent * geometry_.run;
  return size <= l2_payload && b.to == a.extent * geometry_.run && magnitude(a.from) == b.extent * geometry_.run;
}

}  // namespace dlspec::optimized
