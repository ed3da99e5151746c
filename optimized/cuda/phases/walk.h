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
  Index index = 0;
  if (split.blocks != 0) index = take_digit(number, split.blocks, split.magic, split.shift);
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
  std::uint64_t coordinates;  // 16 bits each

  DLSPEC_PHASE std::uint32_t coordinate(int i) const {
    return static_cast<std::uint32_t>(coordinates >> 16 * i & 0xFFFF);
  }
};

// Adds the indices into which `number` decomposes along these axes, the first one innermost.
template <class Index>
DLSPEC_PHASE void advance(Place<Index>& place, const WalkAxis* axes, std::uint32_t count, std::uint32_t number) {
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
    place.coordinates += index * axis.weights;
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
  Place<Index> place{box.to, box.from, shared, 0};
  advance(place, walk.axes, walk.thread_axes, number);
  return place;
}

template <class Index>
DLSPEC_PHASE Place<Index> step_walk(const Walk& walk, Place<Index> place, std::uint32_t step) {
  advance(place, walk.axes + walk.thread_axes, walk.step_axes, step);
  return place;
}

// Is this place inside the box that exists?
template <class Index>
DLSPEC_PHASE bool is_inside(const Walk& walk, const Box<Index>& box, const Place<Index>& place) {
  bool inside = true;
  if ((walk.checked & 1) != 0) inside = place.coordinate(0) - box.low[0] < box.count[0];
  if ((walk.checked & 2) != 0) inside = inside && place.coordinate(1) - box.low[1] < box.count[1];
  if ((walk.checked & 4) != 0) inside = inside && place.coordinate(2) < walk.bound;
  return inside;
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
  std::uint32_t offset = 0;
  const std::uint32_t last = walk.chain_axes - 1u;
  for (std::uint32_t i = 0; i < last; ++i) {
    const ChainAxis& axis = walk.chain[i];
    const std::uint32_t quotient = divide(piece, axis.extent.magic, axis.extent.shift);
    offset += (piece - quotient * axis.extent.divisor) * static_cast<std::uint32_t>(axis.shared);
    piece = quotient;
  }
  return offset + piece * static_cast<std::uint32_t>(walk.chain[last].shared);
}

// Shared memory leaves out a few bytes after every 128, so that strides of whole rows of banks meet other banks.
DLSPEC_PHASE std::uint32_t padded(const CudaPlan& plan, std::uint32_t offset) {
  return offset + (offset >> 7) * plan.shared_pad;
}

}  // namespace dlspec::optimized::cuda
