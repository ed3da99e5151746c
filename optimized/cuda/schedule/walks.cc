#include <dlspec/optimized/cuda/schedule/walks.h>

#include <algorithm>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized::cuda {
namespace {

void add_weight(WalkAxis& axis, int coordinate, std::int64_t weight) {
  if (coordinate >= 0) axis.weights[coordinate / 2] |= static_cast<std::uint32_t>(weight) << 16 * (coordinate % 2);
}

}  // namespace

Divisor make_divisor(std::uint32_t divisor) {
  std::uint32_t bits = 0;  // the divisor is at most 2^bits
  while ((std::uint64_t{1} << bits) < divisor) ++bits;
  // The smallest factor of at least 2^(31 + bits) / divisor is below 2^32, and exceeds that by less than 2^bits /
  // divisor: the quotient is exact for numbers below 2^31.
  const auto magic = static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + bits)) + divisor - 1) / divisor);
  return {divisor, magic, bits - 1};
}

WalkBuilder::WalkBuilder(Walk& walk, std::int64_t lanes)
    : walk_(walk), lanes_(lanes), room_(max_threads / warp_threads * lanes) {
  walk_.lanes = static_cast<std::uint16_t>(lanes);
  walk_.threads = walk_.lines = walk_.line_steps = 1;
  walk_.checked = 0;
  walk_.bound = 0;
}

void WalkBuilder::push(std::int64_t extent, std::int64_t stride, const WalkPart& part) {
  if (extent == 1) return;
  const bool is_step = room_ == 0;
  WalkAxis& axis = is_step ? step_axes_[step_count_++] : walk_.axes[thread_axes_++];
  axis = {make_divisor(static_cast<std::uint32_t>(extent)),
          static_cast<std::int32_t>(part.shared * stride),
          part.to * stride,
          part.from * stride,
          {}};
  add_weight(axis, part.coordinate, stride);
  if (part.is_bounded) add_weight(axis, step_coordinate, stride);
  if (is_step) {
    walk_.lines *= static_cast<std::uint32_t>(extent);
  } else {
    walk_.threads *= static_cast<std::uint32_t>(extent);
  }
}

void WalkBuilder::add(const WalkPart& part) {
  if (part.coordinate == 0 || part.coordinate == 1) walk_.checked |= 1u << part.coordinate;
  if (room_ == 0) return push(part.extent, 1, part);
  if (part.extent <= room_) {
    push(part.extent, 1, part);
    room_ /= part.extent;
    return;
  }
  // The threads take a part of this axis at a time; equal parts leave the fewest threads idle.
  const std::int64_t steps = div_round_up(part.extent, room_);
  std::int64_t chunk = div_round_up(part.extent, steps);
  if (part.coordinate == word_coordinate) chunk = div_round_up(chunk, lanes_) * lanes_;  // whole warps
  WalkPart divided = part;
  // Splits have bounds of their own, and words beyond a chain have no pieces; those beyond a part of one have pieces of
  // the next block.
  const bool runs_on = part.coordinate == word_coordinate && walk_.chain_split >= 0;
  if ((part.coordinate == no_coordinate || runs_on) && chunk * steps != part.extent) {
    divided.is_bounded = true;
    walk_.checked |= 1u << step_coordinate;
    walk_.bound = static_cast<std::uint32_t>(part.extent);
  }
  push(chunk, 1, divided);
  room_ = 0;
  push(steps, chunk, divided);
}

void WalkBuilder::finish() {
  // The longest axis makes the lines: what is computed for each is then computed least often.
  const auto shorter = [](const WalkAxis& a, const WalkAxis& b) { return a.extent.divisor < b.extent.divisor; };
  WalkAxis* const longest = std::max_element(step_axes_, step_axes_ + step_count_, shorter);
  if (step_count_ != 0) {
    std::rotate(step_axes_, longest, longest + 1);
    walk_.line_steps = step_axes_[0].extent.divisor;
    walk_.lines /= walk_.line_steps;
  }
  std::copy_n(step_axes_, step_count_, walk_.axes + thread_axes_);
  const std::uint32_t growth = step_count_ == 0 ? 0 : step_axes_[0].weights[1] >> 16;  // words from step to step
  std::uint32_t inner = 1;  // pieces of the chain's axes but the last one
  for (int i = 0; i + 1 < walk_.chain_axes; ++i) inner *= walk_.chain[i].extent.divisor;
  walk_.is_even = growth % inner == 0 ? 1 : 0;
  if (walk_.chain_axes != 0 && walk_.is_even != 0) {
    walk_.word_shared = static_cast<std::int32_t>(growth / inner) * walk_.chain[walk_.chain_axes - 1].shared;
  }
  walk_.thread_axes = static_cast<std::uint16_t>(thread_axes_);
  walk_.step_axes = static_cast<std::uint16_t>(step_count_);
}

void set_grid(const BoxAxes& axes, CudaPlan& plan) {
  plan.blocks = 1;
  plan.grid_axes = 0;
  for (int i = 0; i < axes.size(); ++i) {
    const BoxAxis& axis = axes[i];
    if (axis.split != no_split) {
      Split& split = plan.splits[axis.split];
      split.extent = axis.extent;
      split.block = static_cast<std::uint32_t>(axis.box);
      split.blocks = div_round_up(axis.extent + split.skew, axis.box);
      split.to = axis.box * axis.to;
      split.from = axis.box * axis.from;
      plan.blocks *= split.blocks;
      if (split.blocks >= std::int64_t{1} << 31) continue;
      const Divisor divisor = make_divisor(static_cast<std::uint32_t>(split.blocks));
      split.magic = divisor.magic;
      split.shift = divisor.shift;
    } else if (axis.box == 1) {
      GridAxis& grid = plan.grid[plan.grid_axes++];
      grid = {axis.extent, axis.to, axis.from, 0, 0};
      plan.blocks *= axis.extent;
      if (axis.extent >= std::int64_t{1} << 31) continue;
      const Divisor divisor = make_divisor(static_cast<std::uint32_t>(axis.extent));
      grid.magic = divisor.magic;
      grid.shift = divisor.shift;
    }
  }
}

void set_threads(CudaPlan& plan) {
  std::int64_t warps = 1;
  for (const Walk* walk : {&plan.load, &plan.store}) {
    if (walk->threads != 0) warps = std::max(warps, div_round_up(walk->threads, walk->lanes));
  }
  plan.threads = static_cast<std::uint16_t>(warps * warp_threads);
}

}  // namespace dlspec::optimized::cuda
