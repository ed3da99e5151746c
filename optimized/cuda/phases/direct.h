// Piece by piece in the order of the destination, without shared memory.
#pragma once

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {

template <class Index, int width>
struct DirectKernel : KernelTraits<Index, 1> {
  static constexpr std::uint32_t batch = 4;  // pieces of each thread that are read before the first is written

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = plan.store;
    if (context.thread >= walk.threads) return;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, context.thread);
    for (std::uint32_t step = 0; step < walk.steps; step += batch) {
      Word<width> values[batch];
      Index to[batch];
      bool inside[batch];
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        const Place<Index> place = step_walk(walk, begin, step + i);
        to[i] = place.to;
        inside[i] = step + i < walk.steps && is_inside(walk, box, place);
        if (inside[i]) values[i] = memory.template load<width>(0, step + i, place.from);
      }
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        if (inside[i]) memory.template store<width>(1, step + i, to[i], values[i]);
      }
    }
  }
};

}  // namespace dlspec::optimized::cuda
