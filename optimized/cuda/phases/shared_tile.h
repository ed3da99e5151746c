// Through shared memory: phase 0 reads the box in the order of the source, phase 1 writes it in that of the
// destination.
//
// The threads walk along the chain of the side that they access, row by row. Pieces of 4 bytes and more are moved one
// by one. Smaller ones are read and written by words of 4 bytes, which begin at any piece of a row: each word is
// aligned, and what it has beyond the row is not used. Between them are single pieces in shared memory.
#pragma once

#include <dlspec/optimized/cuda/phases/windows.h>

namespace dlspec::optimized::cuda {

template <class Index, int width>
struct SharedTileKernel : KernelTraits<Index, 2> {
  static constexpr std::uint32_t batch = 4;  // words of each thread that are read before the first is passed on
  static constexpr int word = width < 4 ? 4 : width;
  static constexpr std::uint32_t pieces = word / width;

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    if constexpr (phase == 0) {
      const std::uint32_t number = number_of(plan.load, context.thread);
      if (number < plan.load.threads) load(memory, context, plan, number);
    } else {
      const std::uint32_t number = number_of(plan.store, context.thread);
      if (number < plan.store.threads) store(memory, context, plan, number);
    }
  }

 private:
  template <class Memory>
  DLSPEC_PHASE static void load(Memory& memory, const Context& context, const CudaPlan& plan, std::uint32_t number) {
    const Walk& walk = plan.load;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, number);
    const Pieces existing = pieces_of(walk, box);
    for (std::uint32_t step = 0; step < walk.steps; step += batch) {
      Word<word> values[batch];
      std::uint32_t shared[batch], first[batch];
      bool inside[batch];
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        const Place<Index> place = step_walk(walk, begin, step + i);
        const std::uint32_t residue = (memory.from_residue() + static_cast<std::uint32_t>(place.from)) & 15;
        shared[i] = place.shared;
        first[i] = first_piece<width, word>(place.coordinate(3), residue, 0);
        inside[i] = step + i < walk.steps && is_inside(walk, box, place) && existing.has_any(first[i], pieces);
        if (inside[i]) values[i] = load_word(memory, plan, existing, place.from, step + i, first[i]);
      }
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        if (inside[i]) pass_on(memory, plan, existing, shared[i], first[i], step + i, values[i]);
      }
    }
  }

  // The word that begins at this piece of the row at `row`.
  template <class Memory>
  DLSPEC_PHASE static Word<word> load_word(Memory& memory, const CudaPlan& plan, const Pieces& existing, Index row,
                                           std::uint32_t step, std::uint32_t first) {
    const Index from = row + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    if (pieces == 1 ||
        (from >= static_cast<Index>(plan.from_begin) && from <= static_cast<Index>(plan.from_end) - word)) {
      return memory.template load<word>(0, step, from);
    }
    Word<word> value{};
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      put_piece<width>(value, i,
                       memory.template load<width>(1, step * pieces + i, from + static_cast<Index>(i) * width));
    }
    return value;
  }

  template <class Memory>
  DLSPEC_PHASE static void pass_on(Memory& memory, const CudaPlan& plan, const Pieces& existing, std::uint32_t shared,
                                   std::uint32_t first, std::uint32_t step, const Word<word>& value) {
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (pieces > 1 && !existing.has(first + i)) continue;
      memory.template shared_store<width>(2, step * pieces + i,
                                          padded(plan, shared + chain_offset(plan.load, first + i)),
                                          piece_of<width, word>(value, i));
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store(Memory& memory, const Context& context, const CudaPlan& plan, std::uint32_t number) {
    const Walk& walk = plan.store;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, number, box.shared);
    const Pieces existing = pieces_of(walk, box);
    DLSPEC_UNROLL_4
    for (std::uint32_t step = 0; step < walk.steps; ++step) {
      const Place<Index> place = step_walk(walk, begin, step);
      if (is_inside(walk, box, place)) store_word(memory, plan, existing, place, step);
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store_word(Memory& memory, const CudaPlan& plan, const Pieces& existing,
                                      const Place<Index>& place, std::uint32_t step) {
    const std::uint32_t residue = (memory.to_residue() + static_cast<std::uint32_t>(place.to)) & 15;
    const std::uint32_t first = first_piece<width, word>(place.coordinate(3), residue, plan.splits[0].skew);
    if (!existing.has_any(first, pieces)) return;
    const Index to = place.to + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    Word<word> value{};
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (pieces > 1 && !existing.has(first + i)) continue;
      const std::uint32_t at = padded(plan, place.shared + chain_offset(plan.store, first + i));
      put_piece<width>(value, i, memory.template shared_load<width>(3, step * pieces + i, at));
    }
    if (existing.has_all(first, pieces)) return memory.template store<word>(4, step, to, value);
    if constexpr (pieces > 1) {
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < pieces; ++i) {
        if (!existing.has(first + i)) continue;
        memory.template store<width>(5, step * pieces + i, to + static_cast<Index>(i) * width,
                                     piece_of<width, word>(value, i));
      }
    }
  }
};

}  // namespace dlspec::optimized::cuda
