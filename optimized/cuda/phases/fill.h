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
    const std::uint32_t steps = walk.line_steps;
    DLSPEC_NO_UNROLL
    for (std::uint32_t number = 0; number < walk.lines; ++number) {
      const Line<Index> line = line_of(walk, box, begin, number);
      for (std::uint32_t step = 0; step < steps; ++step) {
        if (line.is_inside(step)) fill(memory, plan, existing, line, step, number * steps + step);
      }
    }
  }

 private:
  template <class Memory>
  DLSPEC_PHASE static void fill(Memory& memory, const CudaPlan& plan, const Pieces& existing, const Line<Index>& line,
                                std::uint32_t step, std::uint32_t request) {
    const Index row = line.to + static_cast<Index>(step) * line.to_step;
    const std::uint32_t residue = (memory.to_residue() + static_cast<std::uint32_t>(row)) & 15;
    const std::uint32_t first = first_piece<width, word>(line.word_at(step), residue, plan.splits[0].skew);
    if (!existing.has_any(first, pieces)) return;
    const Word<width> value =
        memory.template load<width>(0, request, line.from + static_cast<Index>(step) * line.from_step);
    const Index to = row + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    if (existing.has_all(first, pieces)) return memory.template store<word>(1, request, to, repeated(value));
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      memory.template store<width>(2, request * pieces + i, to + static_cast<Index>(i) * width, value);
    }
  }

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
