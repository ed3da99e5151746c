// Repeats one piece along the rows of the destination, 16 bytes per access.
#pragma once

#include <dlspec/optimized/cuda/phases/windows.h>

namespace dlspec::optimized::cuda {

template <class Index, int width>
struct FillKernel : KernelTraits<Index, 1> {
  static constexpr int word = 16;
  static constexpr std::uint32_t pieces = word / width;

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = plan.store;
    if (context.thread >= walk.threads) return;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, context.thread);
    const Pieces existing = pieces_of(walk, box);
    for (std::uint32_t step = 0; step < walk.steps; ++step) {
      const Place<Index> place = step_walk(walk, begin, step);
      if (!is_inside(walk, box, place)) continue;
      const std::uint32_t residue = (memory.to_residue() + static_cast<std::uint32_t>(place.to)) & 15;
      const std::uint32_t first = first_piece<width, word>(place.coordinate(3), residue, plan.splits[0].skew);
      if (!existing.has_any(first, pieces)) continue;
      const Word<width> value = memory.template load<width>(0, step, place.from);
      const Index to = place.to + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
      if (existing.has_all(first, pieces)) {
        memory.template store<word>(1, step, to, repeated(value));
      } else {
        for (std::uint32_t i = 0; i < pieces; ++i) {
          if (existing.has(first + i)) {
            memory.template store<width>(2, step * pieces + i, to + static_cast<Index>(i) * width, value);
          }
        }
      }
    }
  }

 private:
  DLSPEC_PHASE static Word<word> repeated(const Word<width>& value) {
    Word<word> result;
    DLSPEC_UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (width == 1) {
        result.part[i] = value.bits * 0x01010101u;
      } else if constexpr (width == 2) {
        result.part[i] = value.bits * 0x00010001u;
      } else {
        result.part[i] = value.part[i % (width / 4)];
      }
    }
    return result;
  }
};

}  // namespace dlspec::optimized::cuda
