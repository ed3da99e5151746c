// Copies of contiguous bytes.
#pragma once

#include "prefetched_copies.h"

namespace dlspec::optimized {
namespace {

inline bool is_aligned(const void* pointer) { return (reinterpret_cast<std::uintptr_t>(pointer) & 63) == 0; }

// Bytes to the next cache-line boundary: 0 if `to` is aligned.
inline std::int64_t bytes_to_next_line(const std::byte* to) {
  return static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(to) & 63);
}

template <class V>
constexpr std::int64_t min_aligned_run = 8 * V::width;  // bytes; the shorter ones take no longer unaligned

// At least a vector's bytes: full vectors, the last of which may overlap the previous one, and so may the second of a
// long run, so that the others do not cross cache lines: a store that does takes two cycles.
template <class V>
[[gnu::always_inline]] inline void copy_vectors(std::byte* to, const std::byte* from, std::int64_t size) {
  const Vector<V> last = load<V>(from + size - V::width);
  std::int64_t done = 0;
  if (size >= min_aligned_run<V>) {
    const Vector<V> first = load<V>(from);
    done = V::width - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % V::width);
    store(to, first);
  }
  for (; done + 4 * V::width <= size; done += 4 * V::width) {
    const Vector<V> a = load<V>(from + done), b = load<V>(from + done + V::width);
    const Vector<V> c = load<V>(from + done + 2 * V::width), d = load<V>(from + done + 3 * V::width);
    store(to + done, a);
    store(to + done + V::width, b);
    store(to + done + 2 * V::width, c);
    store(to + done + 3 * V::width, d);
  }
  for (; done + V::width < size; done += V::width) store(to + done, load<V>(from + done));
  store(to + size - V::width, last);
}

// Two pieces, the second of which ends at the end.
template <std::int64_t piece>
[[gnu::always_inline]] inline void copy_overlapping(std::byte* to, const std::byte* from, std::int64_t size) {
  RawBytes<piece> first, last;
  __builtin_memcpy(&first, from, piece);
  __builtin_memcpy(&last, from + size - piece, piece);
  __builtin_memcpy(to, &first, piece);
  __builtin_memcpy(to + size - piece, &last, piece);
}

// At least a piece: aligned ones between the first and the last, so that these do not cross cache lines.
template <std::int64_t piece>
[[gnu::always_inline]] inline void copy_in_pieces(std::byte* to, const std::byte* from, std::int64_t size) {
  typedef std::uint64_t Piece __attribute__((vector_size(piece)));
  Piece first, last, next;
  __builtin_memcpy(&first, from, piece);
  __builtin_memcpy(&last, from + size - piece, piece);
  std::int64_t done = piece - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % piece);
  __builtin_memcpy(to, &first, piece);
  for (; done + piece < size; done += piece) {
    __builtin_memcpy(&next, from + done, piece);
    __builtin_memcpy(to + done, &next, piece);
  }
  __builtin_memcpy(to + size - piece, &last, piece);
}

template <class V>
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from, std::int64_t size) {
  if (size >= V::width) return copy_vectors<V>(to, from, size);
  if (V::width > 32 && size >= 32) return copy_overlapping<32>(to, from, size);
  if (V::width > 16 && size >= 16) return copy_overlapping<16>(to, from, size);
  if (size >= 8) return copy_overlapping<8>(to, from, size);
  if (size >= 4) return copy_overlapping<4>(to, from, size);
  if (size >= 2) return copy_overlapping<2>(to, from, size);
  if (size == 1) *to = *from;
}

// Bytes of a run from which the C library's memcpy is faster, beyond L2: it knows the size from which REP MOVSB is,
// which fetches no line that it overwrites whole. In L2 the loop over vectors takes up to a quarter less.
constexpr std::int64_t min_memcpy = 4096;

template <class V>
[[gnu::always_inline]] inline void copy_run(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t size) {
  if (size >= min_memcpy && (plan.geometry.bytes > l2_payload || plan.by_string)) {
    if (plan.prefetching) return copy_ahead<V>(to, from, size);
    __builtin_memcpy(to, from, static_cast<std::size_t>(size));
  } else {
    copy_bytes<V>(to, from, size);
  }
}

template <class V>
void copy(const Plan& plan, const Block& block) noexcept {
  copy_run<V>(plan, block.to, block.from, block.a);
}

template <std::int64_t size>
[[gnu::always_inline]] inline void runs_of(const Plan& plan, const Block& block) {
  for (std::int64_t j = 0; j < block.b; ++j) {
    copy_element<size>(block.to + j * plan.b.to, block.from + j * plan.b.from);
  }
}

// A broadcast run with contiguous copies. Little is read, so that stores wait for their cache lines: prefetch these for
// write (PREFETCHW).
template <class V>
void broadcast_run(const Plan& plan, const Block& block) {
  const std::int64_t run = plan.geometry.run;
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte* const to = block.to + j * plan.b.to;
    for (std::int64_t done = 0; done < run; done += prefetch_chunk) {
      const std::int64_t now = min(run - done, prefetch_chunk);
      for (std::int64_t i = 0; i < now; i += 64) __builtin_prefetch(to + done + i + prefetch_ahead, 1);
      if (now < V::width) {
        copy_bytes<V>(to + done, block.from + done, now);
      } else {
        copy_in_pieces<V::width>(to + done, block.from + done, now);
      }
    }
  }
}

// A long broadcast run, piece by piece to all its copies where L2 may hold them, so that a piece is read from L1, and
// where L2 does not hold the run, so that it is read once. Otherwise the C library's memcpy of whole runs takes 4 to 15
// % less than pieces. Not inlined: runs() is slower by 20 ns when it keeps registers for this loop.
constexpr std::int64_t broadcast_piece = l1_payload / 2, largest_l2 = 4 * l2_payload;

template <class V>
[[gnu::noinline]] void broadcast_long_run(const Plan& plan, const Block& block) {
  const std::int64_t run = plan.geometry.run;
  const bool in_l2 = plan.geometry.bytes <= largest_l2 && !plan.by_string;
  const std::int64_t piece = in_l2 || (run > l2_payload && !plan.by_string) ? broadcast_piece : run;
  for (std::int64_t done = 0; done < run; done += piece) {
    const std::int64_t now = min(run - done, piece);
    for (std::int64_t j = 0; j < block.b; ++j) {
      std::byte* const to = block.to + j * plan.b.to + done;
      in_l2 ? copy_bytes<V>(to, block.from + done, now)
            : void(__builtin_memcpy(to, block.from + done, static_cast<std::size_t>(now)));
    }
  }
}

// A broadcast run with contiguous copies, which then are the source of longer ones: as many of them as fill a piece, or
// more, so that source and destination have the same place in a cache line, where that is not far too many. 4,096 runs
// of 5,952 bytes take 0.65 of the time on Zen 5, 15,500 of 664 bytes 0.8.
constexpr std::int64_t repeated_piece = std::int64_t{1} << 14;  // bytes

constexpr std::int64_t repeated_runs(std::int64_t run) {
  const std::int64_t in_lines = 64 / (run & -run) > 1 ? 64 / (run & -run) : 1;
  const std::int64_t least = (repeated_piece + run - 1) / run;
  return in_lines * run > 2 * repeated_piece ? least : (least + in_lines - 1) / in_lines * in_lines;
}

// False if they are too few.
template <class V>
[[gnu::noinline]] bool broadcast_by_string(const Plan& plan, const Block& block) {
  const std::int64_t run = plan.geometry.run, repeated = repeated_runs(run);
  if (block.b < 2 * repeated) return false;
  for (std::int64_t j = 0; j < repeated; ++j) copy_bytes<V>(block.to + j * run, block.from, run);
  for (std::int64_t j = repeated; j < block.b; j += repeated) {
    const std::int64_t bytes = min(repeated, block.b - j) * run;
    __builtin_memcpy(block.to + j * run, block.to, static_cast<std::size_t>(bytes));
  }
  return true;
}

// One vector from either end, one more, or two from either end.
template <class V>
[[gnu::always_inline]] inline void copy_two_vectors(std::byte* to, const std::byte* from, std::int64_t size) {
  const Vector<V> first = load<V>(from), last = load<V>(from + size - V::width);
  store(to, first);
  store(to + size - V::width, last);
}
template <class V>
[[gnu::always_inline]] inline void copy_three_vectors(std::byte* to, const std::byte* from, std::int64_t size) {
  const Vector<V> first = load<V>(from), second = load<V>(from + V::width), last = load<V>(from + size - V::width);
  store(to, first);
  store(to + V::width, second);
  store(to + size - V::width, last);
}
template <class V>
[[gnu::always_inline]] inline void copy_four_vectors(std::byte* to, const std::byte* from, std::int64_t size) {
  const Vector<V> first = load<V>(from), second = load<V>(from + V::width);
  const Vector<V> third = load<V>(from + size - 2 * V::width), last = load<V>(from + size - V::width);
  store(to, first);
  store(to + V::width, second);
  store(to + size - 2 * V::width, third);
  store(to + size - V::width, last);
}

// All runs of a block by one copy.
template <void (*copy_one)(std::byte*, const std::byte*, std::int64_t)>
inline bool copy_runs(const Plan& plan, const Block& block) {
  const std::int64_t size = plan.geometry.run, to_step = plan.b.to, from_step = plan.b.from;
  std::byte* to = block.to;
  const std::byte* from = block.from;
  for (std::int64_t left = block.b; left > 0; --left, to += to_step, from += from_step) copy_one(to, from, size);
  return true;
}

// Runs of up to four vectors, without a branch on their size in the loop. False if they are longer or too short.
template <class V>
inline bool short_runs(const Plan& plan, const Block& block) {
  const std::int64_t size = plan.geometry.run;
  if (size < 8 || size > 4 * V::width) return false;
  if (size > 3 * V::width) return copy_runs<copy_four_vectors<V>>(plan, block);
  if (size > 2 * V::width) return copy_runs<copy_three_vectors<V>>(plan, block);
  if (size >= V::width) return copy_runs<copy_two_vectors<V>>(plan, block);
  if (V::width > 32 && size >= 32) return copy_runs<copy_overlapping<32>>(plan, block);
  if (V::width > 16 && size >= 16) return copy_runs<copy_overlapping<16>>(plan, block);
  return copy_runs<copy_overlapping<8>>(plan, block);
}

// The same where stores that cross cache lines are slow: runs of more than two vectors in aligned ones, and those that
// are less than one and a half vectors in aligned halves. False for others.
template <class V>
inline bool aligned_runs(const Plan& plan, const Block& block) {
  const std::int64_t size = plan.geometry.run;
  if (size > 2 * V::width && size < min_memcpy) return copy_runs<copy_in_pieces<V::width>>(plan, block);
  if constexpr (V::width == 64) {
    if (size > 64 && size < 96) return copy_runs<copy_in_pieces<32>>(plan, block);
  }
  if constexpr (V::width >= 32) {
    if (size > 32 && size < 48) return copy_runs<copy_in_pieces<16>>(plan, block);
  }
  return false;
}

template <class V>
void runs(const Plan& plan, const Block& block) noexcept {
  const std::int64_t run = plan.geometry.run;
  if (run == 3) return runs_of<3>(plan, block);
  if (run == 12) return runs_of<12>(plan, block);
  if (plan.b.from == 0 && run > broadcast_piece) return broadcast_long_run<V>(plan, block);
  if (plan.repeating && broadcast_by_string<V>(plan, block)) return;
  if (plan.prefetching && plan.b.from == 0 && plan.b.to == run && run >= min_prefetched_run)
    return broadcast_run<V>(plan, block);
  if (are_prefetched(plan)) return copy_runs<copy_ahead<V>>(plan, block), void();
  if (plan.aligning && aligned_runs<V>(plan, block)) return;
  if (short_runs<V>(plan, block)) return;
  for (std::int64_t j = 0; j < block.b; ++j) {
    copy_run<V>(plan, block.to + j * plan.b.to, block.from + j * plan.b.from, run);
  }
}

}  // namespace
}  // namespace dlspec::optimized
