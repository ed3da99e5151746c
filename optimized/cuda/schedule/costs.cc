#include <dlspec/optimized/cuda/schedule/costs.h>

#include <algorithm>

#include <dlspec/optimized/cuda/phases/walk.h>
#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

// The direct kernel takes 13 instructions for a piece.
constexpr double piece_cost = 1.8;  // divided by the bytes of a piece
// Sectors that a warp reads in part come again from L1 or L2, at a third of what they cost from DRAM. More than a
// sector for each piece of 4 bytes, or for each 8 smaller ones, is not to be seen.
constexpr double again_cost = 0.3;
constexpr double most_sectors = 8, most_sectors_of_small = 4;
// The shared tile: what each of its two phases takes for a piece of 4 bytes, what a line adds that is divided by its
// steps, and what pieces take whose places in shared memory are computed one by one.
constexpr double phase_cost = 0.25, line_cost = 4, uneven_cost = 1;
constexpr double small_phase_cost = 1, chain_axis_cost = 1.5;  // of pieces below 4 bytes
// The barrier and the second phase take half a microsecond, in which this much could be moved.
constexpr double fixed_bytes = 2 << 20;

// Sectors that the lanes of a warp touch on one side, divided by the fewest that hold as many bytes. Of three warps.
double sectors_of(const CudaPlan& plan, const Walk& walk, std::int64_t Place<std::int64_t>::* side) {
  double touched = 0, bytes = 0;
  const std::uint32_t warps = (walk.threads + walk.lanes - 1) / walk.lanes;
  for (std::uint32_t warp = 0; warp < warps; warp += std::max(warps / 3, 1u)) {
    std::int64_t seen[2 * warp_threads];
    std::int64_t* end = seen;
    for (std::uint32_t lane = 0; lane < walk.lanes && warp * walk.lanes + lane < walk.threads; ++lane) {
      const Place<std::int64_t> place = begin_walk(walk, Box<std::int64_t>{}, warp * walk.lanes + lane);
      *end++ = (place.*side + max_span) / sector;
      *end++ = (place.*side + max_span + plan.width - 1) / sector;
      bytes += plan.width;
    }
    std::sort(seen, end);
    touched += static_cast<double>(std::unique(seen, end) - seen);
  }
  return touched * sector / bytes;
}

// What the sectors of one side cost, the first time and again.
double traffic(double sectors, std::int64_t width) {
  const double most = width < word_bytes ? most_sectors_of_small : most_sectors;
  return std::min(sectors, 1.0) + again_cost * std::max(std::min(sectors, most) - 1, 0.0);
}

// Sectors of rows of the box, which begin anywhere unless everything is aligned.
double row_traffic(std::int64_t row, const BoxAxes& axes, std::int64_t BoxAxis::* stride) {
  bool aligned = row % sector == 0;
  for (int i = 0; i < axes.size(); ++i) {
    if (magnitude_of(axes[i].*stride) >= sector) aligned = aligned && axes[i].*stride % sector == 0;
  }
  const std::int64_t sectors = (row + sector - 1) / sector + (aligned ? 0 : 1);
  return static_cast<double>(sectors * sector) / static_cast<double>(row);
}

// The least cost of a phase: of an even piece, in one line.
double least_phase(const CudaPlan& plan) {
  return plan.width < word_bytes ? small_phase_cost / plan.width : phase_cost * word_bytes / plan.width;
}

double phase_of(const CudaPlan& plan, const Walk& walk) {
  const double scale = word_bytes / static_cast<double>(std::max<std::int64_t>(plan.width, word_bytes));
  double more = plan.width < word_bytes ? chain_axis_cost * (walk.chain_axes - 1) : walk.is_even != 0 ? 0 : uneven_cost;
  if (walk.lines > 1) more += line_cost / walk.line_steps;
  return least_phase(plan) + more * scale;
}

double fixed_of(const CudaPlan& plan) { return fixed_bytes / static_cast<double>(plan.bytes); }

}  // namespace

double direct_cost(const CudaPlan& plan) {
  return traffic(sectors_of(plan, plan.store, &Place<std::int64_t>::to), plan.width) +
         traffic(sectors_of(plan, plan.store, &Place<std::int64_t>::from), plan.width) + piece_cost / plan.width;
}

double least_shared_tile_cost(const CudaPlan& plan) { return 2 + 2 * least_phase(plan) + fixed_of(plan); }

double shared_tile_cost(const CudaPlan& plan, const BoxAxes& axes) {
  return row_traffic(axes.to_row(), axes, &BoxAxis::to) + row_traffic(axes.from_row(), axes, &BoxAxis::from) +
         phase_of(plan, plan.load) + phase_of(plan, plan.store) + fixed_of(plan);
}

}  // namespace dlspec::optimized::cuda
