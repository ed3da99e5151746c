#include <dlspec/optimized/cuda/schedule/walks.h>

#include <algorithm>

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::uint32_t banks = 32;  // of 4 bytes each

std::int64_t div_round_up(std::int64_t count, std::int64_t divisor) { return (count + divisor - 1) / divisor; }

std::uint64_t weight_of(int coordinate, std::int64_t weight) {
  return coordinate < 0 ? 0 : static_cast<std::uint64_t>(weight) << 16 * coordinate;
}

// Offset in shared memory of the first piece that a thread touches at its first step.
std::uint32_t shared_offset(const CudaPlan& plan, const Walk& walk, bool is_store, std::uint32_t thread) {
  Place<std::int64_t> place{0, 0, plan.shared_base, 0};
  advance(place, walk.axes, walk.thread_axes, thread);
  const std::uint32_t pieces = plan.width < 4 ? 4u / plan.width : 1u;
  if (pieces > 1) {
    std::uint32_t piece = place.coordinate(word_coordinate) * pieces;
    if (!is_store) {
      place.shared += piece * plan.width;
    } else {
      for (std::uint32_t i = 0; i < plan.chain_axes; ++i) {
        const std::uint32_t quotient = i + 1 == plan.chain_axes ? 0 : piece / plan.chain[i].extent.divisor;
        place.shared +=
            (piece - quotient * plan.chain[i].extent.divisor) * static_cast<std::uint32_t>(plan.chain[i].shared);
        piece = quotient;
      }
    }
  }
  return padded(plan, place.shared);
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

WalkBuilder::WalkBuilder(Walk& walk, std::int64_t threads) : walk_(walk), room_(threads) {
  walk_.threads = 1;
  walk_.checked = 0;
  walk_.bound = 0;
}

void WalkBuilder::push(std::int64_t extent, std::int64_t stride, const WalkPart& part) {
  if (extent == 1) return;
  const bool is_step = room_ == 0;
  WalkAxis& axis = is_step ? step_axes_[step_count_++] : walk_.axes[thread_axes_++];
  axis = {make_divisor(static_cast<std::uint32_t>(extent)), static_cast<std::int32_t>(part.shared * stride),
          part.to * stride, part.from * stride,
          weight_of(part.coordinate, stride) | weight_of(part.is_bounded ? step_coordinate : no_coordinate, stride)};
  if (is_step) {
    steps_ *= extent;
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
  const std::int64_t steps = div_round_up(part.extent, room_), chunk = div_round_up(part.extent, steps);
  WalkPart divided = part;
  if (part.coordinate != 0 && part.coordinate != 1 && chunk * steps != part.extent) {
    divided.is_bounded = true;
    walk_.checked |= 1u << step_coordinate;
    walk_.bound = static_cast<std::uint32_t>(part.extent);
  }
  push(chunk, 1, divided);
  room_ = 0;
  push(steps, chunk, divided);
}

void WalkBuilder::finish() {
  std::copy_n(step_axes_, step_count_, walk_.axes + thread_axes_);
  walk_.thread_axes = static_cast<std::uint16_t>(thread_axes_);
  walk_.step_axes = static_cast<std::uint16_t>(step_count_);
  walk_.steps = static_cast<std::uint32_t>(steps_);
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

double bank_cycles(const CudaPlan& plan, const Walk& walk, bool is_store) {
  // Banks serve 128 bytes at a time: of accesses wider than 4 bytes, those of fewer threads.
  const std::uint32_t words = plan.width <= 4 ? 1u : plan.width / 4u;
  const std::uint32_t group = banks / words;
  const std::uint32_t threads = std::min(banks, walk.threads);
  std::uint32_t cycles = 0, groups = 0;
  for (std::uint32_t begin = 0; begin < threads; begin += group, ++groups) {
    std::uint32_t rows[banks][banks], counts[banks] = {}, most = 1;
    for (std::uint32_t thread = begin; thread < std::min(begin + group, threads); ++thread) {
      const std::uint32_t row = shared_offset(plan, walk, is_store, thread) / (4 * words);
      std::uint32_t* const seen = rows[row % group];
      std::uint32_t& count = counts[row % group];
      if (std::find(seen, seen + count, row) != seen + count) continue;
      seen[count++] = row;
      most = std::max(most, count);
    }
    cycles += most;
  }
  return static_cast<double>(cycles) / groups;
}

}  // namespace dlspec::optimized::cuda
