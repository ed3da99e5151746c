// Piece by piece in the order of the destination, without shared memory.
#pragma once

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {

template <class Index, int width>
struct DirectKernel : KernelTraits<Index, 1> {
  // Pieces of each thread that are read before the first is written.
  static constexpr std::uint32_t batch = width < 16 ? 8 : 4;
  static constexpr std::uint32_t few = 4;

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = plan.store;
    if (context.thread >= walk.threads) return;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, context.thread);
    const std::uint32_t steps = walk.line_steps;
    DLSPEC_NO_UNROLL
    for (std::uint32_t number = 0; number < walk.lines; ++number) {
      copy(memory, line_of(walk, box, begin, number), steps, number * steps);
    }
  }

 private:
  // `requests`: how many steps the thread has made before.
  template <class Memory>
  DLSPEC_PHASE static void copy(Memory& memory, const Line<Index>& line, std::uint32_t steps, std::uint32_t requests) {
    const auto from = memory.from_line(line.from);
    const auto to = memory.to_line(line.to);
    std::uint32_t step = 0;
    DLSPEC_NO_UNROLL
    for (; step + batch <= steps && line.are_inside(step, batch); step += batch) {
      copy_steps<batch, false>(memory, line, from, to, step, steps, requests);
    }
    // The steps that remain, some of which may be outside.
    DLSPEC_NO_UNROLL
    for (; step < steps; step += few) copy_steps<few, true>(memory, line, from, to, step, steps, requests);
  }

  template <std::uint32_t number, bool checked, class Memory, class From, class To>
  DLSPEC_PHASE static void copy_steps(Memory& memory, const Line<Index>& line, From from, To to, std::uint32_t step,
                                      std::uint32_t steps, std::uint32_t requests) {
    Word<width> values[number];
    bool inside[number];
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const std::uint32_t at = step + i;
      const bool is_step = at < steps, is_inside = line.is_inside(at);
      inside[i] = !checked || (is_step & is_inside);
      if (inside[i]) values[i] = memory.template load<width>(0, requests + at, from, line.from_distance(at));
    }
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const std::uint32_t at = step + i;
      if (inside[i]) memory.template store<width>(1, requests + at, to, line.to_distance(at), values[i]);
    }
  }
};

}  // namespace dlspec::optimized::cuda
