// Through shared memory: phase 0 reads the box in the order of the source, phase 1 writes it in that of the
// destination.
//
// Pieces of 4 bytes and more are moved one by one. Smaller ones are read and written by words of 4 bytes, which begin
// at any piece of a row: each word is aligned, and what it has beyond the row is not used. Between them are single
// pieces in shared memory.
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
      if (context.thread < plan.load.threads) load(memory, context, plan);
    } else {
      if (context.thread < plan.store.threads) store(memory, context, plan);
    }
  }

 private:
  template <class Memory>
  DLSPEC_PHASE static void load(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = plan.load;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, context.thread);
    for (std::uint32_t step = 0; step < walk.steps; step += batch) {
      Word<word> values[batch];
      std::uint32_t shared[batch], first[batch];
      bool inside[batch];
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        const Place<Index> place = step_walk(walk, begin, step + i);
        shared[i] = place.shared;
        first[i] = 0;
        inside[i] = step + i < walk.steps && is_inside(walk, box, place);
        if constexpr (pieces == 1) {
          if (inside[i]) values[i] = memory.template load<word>(0, step + i, place.from);
        } else {
          if (inside[i]) inside[i] = load_word(memory, plan, box, place, step + i, first[i], values[i]);
        }
      }
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        if (inside[i]) pass_on(memory, plan, box, shared[i], first[i], step + i, values[i]);
      }
    }
  }

  // The word at coordinate 3 of the place; false if none of its pieces is in the box.
  template <class Memory>
  DLSPEC_PHASE static bool load_word(Memory& memory, const CudaPlan& plan, const Box<Index>& box,
                                     const Place<Index>& place, std::uint32_t step, std::uint32_t& first,
                                     Word<word>& value) {
    const Pieces existing = pieces_of(plan.load, box);
    const std::uint32_t residue = (memory.from_residue() + static_cast<std::uint32_t>(place.from)) & 15;
    first = first_piece<width, word>(place.coordinate(3), residue, 0);
    if (!existing.has_any(first, pieces)) return false;
    const Index from = place.from + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    if (from >= static_cast<Index>(plan.from_begin) && from <= static_cast<Index>(plan.from_end) - word) {
      value = memory.template load<word>(0, step, from);
      return true;
    }
    value = {};
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      put_piece<width>(value, i,
                       memory.template load<width>(1, step * pieces + i, from + static_cast<Index>(i) * width));
    }
    return true;
  }

  template <class Memory>
  DLSPEC_PHASE static void pass_on(Memory& memory, const CudaPlan& plan, const Box<Index>& box, std::uint32_t shared,
                                   std::uint32_t first, std::uint32_t step, const Word<word>& value) {
    if constexpr (pieces == 1) {
      memory.template shared_store<width>(2, step, padded(plan, shared), value);
    } else {
      const Pieces existing = pieces_of(plan.load, box);
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < pieces; ++i) {
        if (!existing.has(first + i)) continue;
        memory.template shared_store<width>(3, step * pieces + i, padded(plan, shared + (first + i) * width),
                                            piece_of<width, word>(value, i));
      }
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = plan.store;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, context.thread, box.shared);
    DLSPEC_UNROLL_4
    for (std::uint32_t step = 0; step < walk.steps; ++step) {
      const Place<Index> place = step_walk(walk, begin, step);
      if (!is_inside(walk, box, place)) continue;
      if constexpr (pieces == 1) {
        memory.template store<width>(5, step, place.to,
                                     memory.template shared_load<width>(4, step, padded(plan, place.shared)));
      } else {
        store_word(memory, plan, box, place, step);
      }
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store_word(Memory& memory, const CudaPlan& plan, const Box<Index>& box,
                                      const Place<Index>& place, std::uint32_t step) {
    const Pieces existing = pieces_of(plan.store, box);
    const std::uint32_t residue = (memory.to_residue() + static_cast<std::uint32_t>(place.to)) & 15;
    const std::uint32_t first = first_piece<width, word>(place.coordinate(3), residue, plan.splits[0].skew);
    if (!existing.has_any(first, pieces)) return;
    const Index to = place.to + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    Word<word> value{};
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      const std::uint32_t at = padded(plan, place.shared + chain_offset(plan, first + i));
      put_piece<width>(value, i, memory.template shared_load<width>(6, step * pieces + i, at));
    }
    if (existing.has_all(first, pieces)) return memory.template store<word>(7, step, to, value);
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      memory.template store<width>(8, step * pieces + i, to + static_cast<Index>(i) * width,
                                   piece_of<width, word>(value, i));
    }
  }

  // Where piece number `piece` of a row is in shared memory, from the row's first.
  DLSPEC_PHASE static std::uint32_t chain_offset(const CudaPlan& plan, std::uint32_t piece) {
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i + 1 < plan.chain_axes; ++i) {
      const ChainAxis& axis = plan.chain[i];
      const std::uint32_t quotient = divide(piece, axis.extent.magic, axis.extent.shift);
      offset += (piece - quotient * axis.extent.divisor) * static_cast<std::uint32_t>(axis.shared);
      piece = quotient;
    }
    return offset + piece * static_cast<std::uint32_t>(plan.chain[plan.chain_axes - 1].shared);
  }
};

}  // namespace dlspec::optimized::cuda
