// Where a block's box lies, and where the threads of the block are on their walk through it.
//
// `Index` is the type of byte offsets: 32 bits if all of them and the number of blocks fit, else 64.
#pragma once

#include <cstdint>
#include <type_traits>

#include <dlspec/optimized/cuda/phases/portable.h>
#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// Which thread of which block a phase runs for: phases never read the built-in variables.
struct Context {
  std::uint32_t thread;
  std::int64_t block;
};

// What the launcher needs to know of a kernel: whether its offsets have 64 bits, and its phases, between which the
// threads of a block wait for each other.
template <class Index, int count>
struct KernelTraits {
  static constexpr bool is_wide = sizeof(Index) == 8;
  static constexpr int phases = count;
};

// The box of a block: offsets of its origin, where the walk in the order of the destination begins in shared memory,
// and the part of each split that exists: [low, low + count).
template <class Index>
struct Box {
  Index to;
  Index from;
  std::uint32_t shared;
  std::uint32_t low[2];
  std::uint32_t count[2];
};

// Divides `number` by `divisor`; returns the remainder and leaves the quotient.
template <class Index>
DLSPEC_PHASE Index take_digit(Index& number, std::int64_t divisor, std::uint32_t magic, std::uint32_t shift) {
  Index quotient;
  if constexpr (std::is_same_v<Index, std::int32_t>) {
    quotient = static_cast<Index>(divide(static_cast<std::uint32_t>(number), magic, shift));
  } else {
    quotient = number / divisor;
  }
  const Index rest = number - quotient * static_cast<Index>(divisor);
  number = quotient;
  return rest;
}

template <class Index>
DLSPEC_PHASE void locate_split(const Split& split, Index& number, Box<Index>& box, std::uint32_t& low,
                               std::uint32_t& count) {
  if (split.blocks == 0) {  // the box has all of the axis
    count = static_cast<std::uint32_t>(split.extent);
    return;
  }
  const Index index = take_digit(number, split.blocks, split.magic, split.shift);
  low = index == 0 ? split.skew : 0;
  const Index left =
      static_cast<Index>(split.extent) + static_cast<Index>(split.skew) - index * static_cast<Index>(split.block);
  const Index most = static_cast<Index>(split.block) + static_cast<Index>(split.skew);
  count = static_cast<std::uint32_t>(left < most ? left : most) - low;
  box.to += index * static_cast<Index>(split.to);
  box.from +=
      index * static_cast<Index>(split.from) + static_cast<Index>(count - 1) * static_cast<Index>(split.from_reversed);
  box.shared += (count - 1) * static_cast<std::uint32_t>(split.shared_reversed);
}

template <class Index>
DLSPEC_PHASE Box<Index> locate_box(const CudaPlan& plan, std::int64_t block) {
  Box<Index> box{static_cast<Index>(plan.to_base), static_cast<Index>(plan.from_base), plan.shared_base, {}, {}};
  auto number = static_cast<Index>(block);
  locate_split(plan.splits[0], number, box, box.low[0], box.count[0]);
  locate_split(plan.splits[1], number, box, box.low[1], box.count[1]);
  DLSPEC_NO_UNROLL
  for (std::uint32_t i = 0; i < plan.grid_axes; ++i) {
    const GridAxis& axis = plan.grid[i];
    const Index index = take_digit(number, axis.count, axis.magic, axis.shift);
    box.to += index * static_cast<Index>(axis.to);
    box.from += index * static_cast<Index>(axis.from);
  }
  return box;
}

// A place in the box.
template <class Index>
struct Place {
  Index to;
  Index from;
  std::uint32_t shared;
  std::uint32_t coordinates[2];  // 16 bits each, the lower ones first

  DLSPEC_PHASE std::uint32_t coordinate(int i) const { return coordinates[i / 2] >> 16 * (i % 2) & 0xFFFF; }
};

// Adds the indices into which `number` decomposes along these axes, the first one innermost.
template <class Index>
DLSPEC_PHASE void advance(Place<Index>& place, const WalkAxis* axes, std::uint32_t count, std::uint32_t number) {
  DLSPEC_NO_UNROLL
  for (std::uint32_t i = 0; i < count; ++i) {
    const WalkAxis& axis = axes[i];
    std::uint32_t index = number;
    if (i + 1 < count) {
      number = divide(number, axis.extent.magic, axis.extent.shift);
      index -= number * axis.extent.divisor;
    }
    place.to += static_cast<Index>(index) * static_cast<Index>(axis.to);
    place.from += static_cast<Index>(index) * static_cast<Index>(axis.from);
    place.shared += index * static_cast<std::uint32_t>(axis.shared);
    place.coordinates[0] += index * axis.weights[0];
    place.coordinates[1] += index * axis.weights[1];
  }
}

// The number of a thread on this walk; walk.threads and more for those that take no part.
DLSPEC_PHASE std::uint32_t number_of(const Walk& walk, std::uint32_t thread) {
  const std::uint32_t lane = thread & 31;
  return lane < walk.lanes ? (thread >> 5) * walk.lanes + lane : walk.threads;
}

// `shared`: where the walk begins in shared memory.
template <class Index>
DLSPEC_PHASE Place<Index> begin_walk(const Walk& walk, const Box<Index>& box, std::uint32_t number,
                                     std::uint32_t shared = 0) {
  Place<Index> place{box.to, box.from, shared, {}};
  advance(place, walk.axes, walk.thread_axes, number);
  return place;
}

// The pieces of a chain that exist: [low, low + count).
struct Pieces {
  std::uint32_t low;
  std::uint32_t count;

  DLSPEC_PHASE bool has(std::uint32_t piece) const { return piece - low < count; }
  // Any, all of the `number` pieces from `first` on? A chain begins after piece -16.
  DLSPEC_PHASE bool has_any(std::uint32_t first, std::uint32_t number) const {
    return first + number - low - 1 < count + number - 1;
  }
  DLSPEC_PHASE bool has_all(std::uint32_t first, std::uint32_t number) const {
    return has(first) && has(first + number - 1);
  }
};

template <class Index>
DLSPEC_PHASE Pieces pieces_of(const Walk& walk, const Box<Index>& box) {
  if (walk.chain_split < 0) return {0, walk.chain_pieces};
  const bool second = walk.chain_split != 0;
  return {(second ? box.low[1] : box.low[0]) * walk.chain_inner,
          (second ? box.count[1] : box.count[0]) * walk.chain_inner};
}

// Where piece number `piece` of a chain is in shared memory, from the chain's first.
DLSPEC_PHASE std::uint32_t chain_offset(const Walk& walk, std::uint32_t piece) {
  const std::uint32_t last = walk.chain_axes - 1u;
  if (last == 0) return piece * static_cast<std::uint32_t>(walk.chain[0].shared);
  std::uint32_t offset = 0;
  DLSPEC_NO_UNROLL
  for (std::uint32_t i = 0; i < last; ++i) {
    const ChainAxis& axis = walk.chain[i];
    const std::uint32_t quotient = divide(piece, axis.extent.magic, axis.extent.shift);
    offset += (piece - quotient * axis.extent.divisor) * static_cast<std::uint32_t>(axis.shared);
    piece = quotient;
  }
  return offset + piece * static_cast<std::uint32_t>(walk.chain[last].shared);
}

// The steps along the first step axis of a walk: from each to the next, offsets and positions grow by the same amounts.
// At most one of coordinates 0 to 2 grows along an axis.
template <class Index>
struct Line {
  Index to, to_step;
  Index from, from_step;
  std::uint32_t shared, shared_step;
  std::uint32_t position, position_step, count;  // of the coordinate that grows and is checked
  std::uint32_t word, word_step;                 // coordinate 3
  bool outside;                                  // is a coordinate that does not grow?

  [[nodiscard]] DLSPEC_PHASE bool is_inside(std::uint32_t step) const {
    return position + step * position_step < count;
  }
  // Are these consecutive steps, the first and the last of which say it for all?
  [[nodiscard]] DLSPEC_PHASE bool are_inside(std::uint32_t step, std::uint32_t number) const {
    const bool first = is_inside(step), last = is_inside(step + number - 1);
    return first & last;  // no branch: a warp would diverge
  }
  // From step 0 to this one.
  [[nodiscard]] DLSPEC_PHASE std::int64_t to_distance(std::uint32_t step) const {
    return static_cast<std::int64_t>(static_cast<std::int32_t>(step)) * to_step;
  }
  [[nodiscard]] DLSPEC_PHASE std::int64_t from_distance(std::uint32_t step) const {
    return static_cast<std::int64_t>(static_cast<std::int32_t>(step)) * from_step;
  }
  [[nodiscard]] DLSPEC_PHASE std::uint32_t shared_at(std::uint32_t step) const { return shared + step * shared_step; }
  [[nodiscard]] DLSPEC_PHASE std::uint32_t word_at(std::uint32_t step) const { return word + step * word_step; }

  // Checks a coordinate that is inside if it is at least `low` and below low + number; finish() has to follow.
  DLSPEC_PHASE void check(std::uint32_t coordinate, std::uint32_t growth, std::uint32_t low, std::uint32_t number) {
    if (growth == 0) {
      outside = outside | !(coordinate - low < number);
    } else {
      position = coordinate - low;
      position_step = growth;
      count = number;
    }
  }
  DLSPEC_PHASE void finish() {
    if (outside) count = 0;
  }
};

template <class Index>
DLSPEC_PHASE Line<Index> line_of(const Walk& walk, const Box<Index>& box, Place<Index> begin, std::uint32_t number) {
  Line<Index> line{begin.to, 0, begin.from, 0, begin.shared, 0, 0, 0, 1, 0, 0, false};
  Place<Index> growth{};
  if (walk.step_axes != 0) {
    const WalkAxis& axis = walk.axes[walk.thread_axes];
    advance(begin, &axis + 1, walk.step_axes - 1u, number);
    growth.coordinates[0] = axis.weights[0];
    growth.coordinates[1] = axis.weights[1];
    line.to = begin.to;
    line.to_step = static_cast<Index>(axis.to);
    line.from = begin.from;
    line.from_step = static_cast<Index>(axis.from);
    line.shared = begin.shared;
    line.shared_step = static_cast<std::uint32_t>(axis.shared);
  }
  if ((walk.checked & 1) != 0) line.check(begin.coordinate(0), growth.coordinate(0), box.low[0], box.count[0]);
  if ((walk.checked & 2) != 0) line.check(begin.coordinate(1), growth.coordinate(1), box.low[1], box.count[1]);
  if ((walk.checked & 4) != 0) line.check(begin.coordinate(2), growth.coordinate(2), 0, walk.bound);
  line.finish();
  line.word = begin.coordinate(3);
  line.word_step = growth.coordinate(3);
  return line;
}

// Shared memory leaves out a few bytes after every 128, so that strides of whole rows of banks meet other banks.
DLSPEC_PHASE std::uint32_t padded(std::uint32_t offset, std::uint32_t pad) { return offset + (offset >> 7) * pad; }

}  // namespace dlspec::optimized::cuda
