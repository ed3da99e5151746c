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
  static constexpr int word = width < 4 ? 4 : width;
  static constexpr std::uint32_t pieces = word / width;
  // Words of each thread that are read before the first is passed on.
  static constexpr std::uint32_t batch = width < 16 ? 8 : sizeof(Index) == 4 ? 4 : 2;
  // The batch near the end of the box, and where words have several pieces.
  static constexpr std::uint32_t few = batch < 4 ? batch : 4;

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const Walk& walk = phase == 0 ? plan.load : plan.store;
    const std::uint32_t number = number_of(walk, context.thread);
    if (number >= walk.threads) return;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    const Place<Index> begin = begin_walk(walk, box, number, phase == 0 ? 0 : box.shared);
    const Side<Memory> side{memory, plan, walk, pieces_of(walk, box), walk.line_steps, kept(plan.shared_pad)};
    DLSPEC_NO_UNROLL
    for (std::uint32_t i = 0; i < walk.lines; ++i) {
      Line<Index> line = line_of(walk, box, begin, i);
      const std::uint32_t requests = i * side.steps;
      const bool is_even = fold(side, line);
      if constexpr (phase == 0) {
        is_even ? load_evenly(side, line, requests) : load_words(side, line, requests);
      } else {
        is_even ? store_evenly(side, line, requests) : store_words(side, line, requests);
      }
    }
  }

 private:
  // What is the same for all lines.
  template <class Memory>
  struct Side {
    Memory& memory;
    const CudaPlan& plan;
    const Walk& walk;
    Pieces existing;
    std::uint32_t steps;  // of a line
    std::uint32_t pad;
  };

  // Can the line's offsets include those along the chain? They do then. Not if a word has several pieces, whose number
  // depends on the address of its row.
  template <class Memory>
  DLSPEC_PHASE static bool fold(const Side<Memory>& side, Line<Index>& line) {
    if (pieces > 1 || side.walk.is_even == 0 || (line.word_step != 0 && line.position_step != 0)) return false;
    line.check(line.word, line.word_step, side.existing.low, side.existing.count);
    line.to += static_cast<Index>(line.word) * width;
    line.to_step += static_cast<Index>(line.word_step) * width;
    line.from += static_cast<Index>(line.word) * width;
    line.from_step += static_cast<Index>(line.word_step) * width;
    line.shared += chain_offset(side.walk, line.word);
    line.shared_step += static_cast<std::uint32_t>(side.walk.word_shared);
    line.finish();
    return true;
  }

  // Whole batches that are inside need no checks; the steps that remain are checked, a few at a time.
  template <class Memory>
  DLSPEC_PHASE static void load_evenly(const Side<Memory>& side, const Line<Index>& line, std::uint32_t requests) {
    const auto from = side.memory.from_line(line.from);
    std::uint32_t step = 0;
    DLSPEC_NO_UNROLL
    for (; step + batch <= side.steps && line.are_inside(step, batch); step += batch) {
      load_steps<batch, false>(side, line, from, step, requests);
    }
    DLSPEC_NO_UNROLL
    for (; step + few <= side.steps && line.are_inside(step, few); step += few) {
      load_steps<few, false>(side, line, from, step, requests);
    }
    DLSPEC_NO_UNROLL
    for (; step < side.steps; step += few) load_steps<few, true>(side, line, from, step, requests);
  }

  template <std::uint32_t number, bool checked, class Memory, class From>
  DLSPEC_PHASE static void load_steps(const Side<Memory>& side, const Line<Index>& line, From from, std::uint32_t step,
                                      std::uint32_t requests) {
    Word<width> values[number];
    bool inside[number];
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const std::uint32_t at = step + i;
      const bool is_step = at < side.steps, is_inside = line.is_inside(at);
      inside[i] = !checked || (is_step & is_inside);
      if (inside[i]) values[i] = side.memory.template load<width>(0, requests + at, from, line.from_distance(at));
    }
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const std::uint32_t at = padded(line.shared_at(step + i), side.pad);
      if (inside[i]) side.memory.template shared_store<width>(2, requests + step + i, at, values[i]);
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store_evenly(const Side<Memory>& side, const Line<Index>& line, std::uint32_t requests) {
    const auto to = side.memory.to_line(line.to);
    std::uint32_t step = 0;
    DLSPEC_NO_UNROLL
    for (; step + batch <= side.steps && line.are_inside(step, batch); step += batch) {
      store_steps<batch, false>(side, line, to, step, requests);
    }
    DLSPEC_NO_UNROLL
    for (; step + few <= side.steps && line.are_inside(step, few); step += few) {
      store_steps<few, false>(side, line, to, step, requests);
    }
    DLSPEC_NO_UNROLL
    for (; step < side.steps; step += few) store_steps<few, true>(side, line, to, step, requests);
  }

  template <std::uint32_t number, bool checked, class Memory, class To>
  DLSPEC_PHASE static void store_steps(const Side<Memory>& side, const Line<Index>& line, To to, std::uint32_t step,
                                       std::uint32_t requests) {
    Word<width> values[number];
    bool inside[number];
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const bool is_step = step + i < side.steps, is_inside = line.is_inside(step + i);
      inside[i] = !checked || (is_step & is_inside);
      const std::uint32_t at = padded(line.shared_at(step + i), side.pad);
      if (inside[i]) values[i] = side.memory.template shared_load<width>(3, requests + step + i, at);
    }
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < number; ++i) {
      const std::uint32_t at = step + i;
      if (inside[i]) side.memory.template store<width>(4, requests + at, to, line.to_distance(at), values[i]);
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void load_words(const Side<Memory>& side, const Line<Index>& line, std::uint32_t requests) {
    for (std::uint32_t step = 0; step < side.steps; step += few) {
      Word<word> values[few];
      std::uint32_t first[few];
      bool inside[few];
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < few; ++i) {
        const Index row = line.from + static_cast<Index>(step + i) * line.from_step;
        const std::uint32_t residue = (side.memory.from_residue() + static_cast<std::uint32_t>(row)) & 15;
        first[i] = first_piece<width, word>(line.word_at(step + i), residue, 0);
        // As numbers: with && a warp would branch.
        inside[i] = ((step + i < side.steps) & static_cast<int>(line.is_inside(step + i)) &
                     static_cast<int>(side.existing.has_any(first[i], pieces))) != 0;
        if (inside[i]) values[i] = load_word(side, row, requests + step + i, first[i]);
      }
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < few; ++i) {
        if (inside[i]) pass_on(side, line.shared_at(step + i), first[i], requests + step + i, values[i]);
      }
    }
  }

  // The word that begins at this piece of the row at `row`.
  template <class Memory>
  DLSPEC_PHASE static Word<word> load_word(const Side<Memory>& side, Index row, std::uint32_t request,
                                           std::uint32_t first) {
    const Index from = row + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    if (pieces == 1 ||
        (from >= static_cast<Index>(side.plan.from_begin) && from <= static_cast<Index>(side.plan.from_end) - word)) {
      return side.memory.template load<word>(0, request, from);
    }
    Word<word> value{};
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!side.existing.has(first + i)) continue;
      put_piece<width>(value, i,
                       side.memory.template load<width>(1, request * pieces + i, from + static_cast<Index>(i) * width));
    }
    return value;
  }

  template <class Memory>
  DLSPEC_PHASE static void pass_on(const Side<Memory>& side, std::uint32_t shared, std::uint32_t first,
                                   std::uint32_t request, const Word<word>& value) {
    if (is_plain(side, first)) {
      const std::uint32_t apart = static_cast<std::uint32_t>(side.walk.chain[0].shared);
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < pieces; ++i) {
        put_shared(side, shared + (first + i) * apart, request * pieces + i, piece_of<width, word>(value, i));
      }
      return;
    }
    DLSPEC_NO_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!side.existing.has(first + i)) continue;
      const std::uint32_t at = shared + chain_offset(side.walk, first + i);
      put_shared(side, at, request * pieces + i, piece_of<width, word>(value, i));
    }
  }

  // Does a word have all its pieces, and do they lie evenly in shared memory?
  template <class Memory>
  DLSPEC_PHASE static bool is_plain(const Side<Memory>& side, std::uint32_t first) {
    return side.walk.chain_axes == 1 && (pieces == 1 || side.existing.has_all(first, pieces));
  }

  template <class Memory>
  DLSPEC_PHASE static void put_shared(const Side<Memory>& side, std::uint32_t at, std::uint32_t request,
                                      const Word<width>& value) {
    side.memory.template shared_store<width>(2, request, padded(at, side.pad), value);
  }

  template <class Memory>
  DLSPEC_PHASE static void take_shared(const Side<Memory>& side, std::uint32_t at, std::uint32_t request,
                                       std::uint32_t i, Word<word>& value) {
    put_piece<width>(value, i, side.memory.template shared_load<width>(3, request * pieces + i, padded(at, side.pad)));
  }

  template <class Memory>
  DLSPEC_PHASE static void store_words(const Side<Memory>& side, const Line<Index>& line, std::uint32_t requests) {
    DLSPEC_UNROLL_2
    for (std::uint32_t step = 0; step < side.steps; ++step) {
      if (line.is_inside(step)) store_word(side, line, step, requests + step);
    }
  }

  template <class Memory>
  DLSPEC_PHASE static void store_word(const Side<Memory>& side, const Line<Index>& line, std::uint32_t step,
                                      std::uint32_t request) {
    const Pieces& existing = side.existing;
    const Index row = line.to + static_cast<Index>(step) * line.to_step;
    const std::uint32_t residue = (side.memory.to_residue() + static_cast<std::uint32_t>(row)) & 15;
    const std::uint32_t first = first_piece<width, word>(line.word_at(step), residue, side.plan.splits[0].skew);
    if (!existing.has_any(first, pieces)) return;
    const Index to = row + static_cast<Index>(static_cast<std::int32_t>(first)) * width;
    Word<word> value{};
    const std::uint32_t shared = line.shared_at(step);
    if (is_plain(side, first)) {
      const std::uint32_t apart = static_cast<std::uint32_t>(side.walk.chain[0].shared);
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < pieces; ++i) take_shared(side, shared + (first + i) * apart, request, i, value);
      return side.memory.template store<word>(4, request, to, value);
    }
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (!existing.has(first + i)) continue;
      take_shared(side, shared + chain_offset(side.walk, first + i), request, i, value);
    }
    if (existing.has_all(first, pieces)) return side.memory.template store<word>(4, request, to, value);
    if constexpr (pieces > 1) {
      DLSPEC_UNROLL
      for (std::uint32_t i = 0; i < pieces; ++i) {
        if (!existing.has(first + i)) continue;
        side.memory.template store<width>(5, request * pieces + i, to + static_cast<Index>(i) * width,
                                          piece_of<width, word>(value, i));
      }
    }
  }
};

}  // namespace dlspec::optimized::cuda
