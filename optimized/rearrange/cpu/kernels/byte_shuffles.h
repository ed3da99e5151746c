// Byte shuffles with 64-byte vectors, masks and two-source byte permutes (VPERMT2B).
#pragma once

#include <immintrin.h>

#include "runs.h"

namespace dlspec::optimized {
namespace {

inline __m512i load_window(const Window& window, const std::byte* from, bool masked, bool tail) {
  return masked ? _mm512_maskz_loadu_epi8(tail ? window.tail_mask : window.mask, from + window.offset)
                : _mm512_loadu_si512(from + window.offset);
}

// Of a tail tile some windows are empty: a store of nothing takes 30 cycles, in microcode.
inline bool is_stored(const Window& window, bool tail) { return !tail || window.tail_mask != 0; }

inline void store_window(const Window& window, std::byte* to, __m512i bytes, bool tail) {
  _mm512_mask_storeu_epi8(to + window.offset, tail ? window.tail_mask : window.mask, bytes);
}

// One tile of any byte shuffle. `masked`: loads only the tile's own bytes. `tail`: the smaller tail tile.
[[gnu::noinline]] void shuffle_tile(const ByteShuffle& shuffle, std::byte* to, const std::byte* from, bool masked,
                                    bool tail) {
  for (std::size_t d = 0; d < shuffle.destinations; ++d) {
    if (!is_stored(shuffle.destination[d], tail)) continue;
    __m512i bytes = _mm512_setzero_si512();
    const std::size_t end = shuffle.first_step[d + 1];
    for (std::size_t m = shuffle.first_step[d]; m < end; ++m) {
      const ShuffleStep& step = shuffle.steps[m];
      const std::size_t first = 2 * step.source_pair, second = first + 1 == shuffle.sources ? first : first + 1;
      const __m512i shuffled = _mm512_permutex2var_epi8(load_window(shuffle.source[first], from, masked, tail),
                                                        _mm512_loadu_si512(step.index),
                                                        load_window(shuffle.source[second], from, masked, tail));
      bytes = _mm512_mask_mov_epi8(bytes, step.mask, shuffled);
    }
    store_window(shuffle.destination[d], to, bytes, tail);
  }
}

// `count` consecutive full tiles of an unrolled byte shuffle, with full-vector loads: the whole plan is in registers.
template <std::int64_t sources, std::int64_t destinations, bool streaming>
void run_unrolled(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t count) {
  constexpr std::int64_t pairs = (sources + 1) / 2;
  const ByteShuffle& shuffle = plan.byte_shuffle;
  std::int64_t from_offset[sources], to_offset[destinations];
  __m512i index[destinations][pairs];
  __mmask64 stored[destinations], second[destinations];
  unroll<sources>([&]<std::int64_t s>() { from_offset[s] = shuffle.source[s].offset; });
  unroll<destinations>([&]<std::int64_t d>() {
    to_offset[d] = shuffle.destination[d].offset;
    stored[d] = shuffle.destination[d].mask;
    second[d] = pairs == 2 ? shuffle.steps[d * pairs + 1].mask : 0;
    unroll<pairs>([&]<std::int64_t t>() { index[d][t] = _mm512_loadu_si512(shuffle.steps[d * pairs + t].index); });
  });
  // If the line is not in L1, a store without a mask is much faster.
  bool full = true;
  for (const __mmask64 bytes : stored) full &= bytes == ~std::uint64_t{0};
  const std::int64_t to_step = plan.a.to, from_step = plan.a.from;
  for (std::int64_t i = 0; i < count; ++i, to += to_step, from += from_step) {
    __m512i read[sources];
    unroll<sources>([&]<std::int64_t s>() { read[s] = _mm512_loadu_si512(from + from_offset[s]); });
    unroll<destinations>([&]<std::int64_t d>() {
      __m512i bytes = _mm512_permutex2var_epi8(read[0], index[d][0], read[sources == 1 ? 0 : 1]);
      if constexpr (sources == 3) {
        bytes = _mm512_mask_permutexvar_epi8(bytes, second[d], index[d][1], read[2]);
      } else if constexpr (sources == 4) {
        bytes = _mm512_mask_mov_epi8(bytes, second[d], _mm512_permutex2var_epi8(read[2], index[d][1], read[3]));
      }
      if constexpr (streaming) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + to_offset[d]), bytes);
      } else if (full) {
        _mm512_storeu_si512(to + to_offset[d], bytes);
      } else {
        _mm512_mask_storeu_epi8(to + to_offset[d], stored[d], bytes);
      }
    });
  }
}

// The same for a line shuffle: each cache line comes from its own two vectors.
template <std::int64_t lines, bool streaming>
void run_whole_lines(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t count) {
  const ByteShuffle& shuffle = plan.byte_shuffle;
  std::int64_t first[lines], second[lines];
  __m512i index[lines];
  unroll<lines>([&]<std::int64_t d>() {
    first[d] = shuffle.source[2 * d].offset;
    second[d] = shuffle.source[2 * d + 1].offset;
    index[d] = _mm512_loadu_si512(shuffle.steps[d].index);
  });
  const std::int64_t to_step = plan.a.to, from_step = plan.a.from;
  for (std::int64_t i = 0; i < count; ++i, to += to_step, from += from_step) {
    unroll<lines>([&]<std::int64_t d>() {
      const __m512i bytes =
          _mm512_permutex2var_epi8(_mm512_loadu_si512(from + first[d]), index[d], _mm512_loadu_si512(from + second[d]));
      if constexpr (streaming) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + 64 * d), bytes);
      } else {
        _mm512_storeu_si512(to + 64 * d, bytes);
      }
    });
  }
}

// The instructions of a shuffle in units of 4 bytes, which has no tail tile, and of one in bytes.
struct DwordOps {
  static __m512i load(const Window& window, const std::byte* from, bool) {
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(window.mask), from + window.offset);
  }
  static __m512i permute(__m512i a, const ShuffleStep& step, __m512i b) {
    return _mm512_permutex2var_epi32(a, _mm512_loadu_si512(step.index), b);
  }
  static __m512i merge(__m512i a, const ShuffleStep& step, __m512i b) {
    return _mm512_mask_mov_epi32(a, static_cast<__mmask16>(step.mask), b);
  }
  static void store(std::byte* to, const Window& window, __m512i bytes, bool) {
    _mm512_mask_storeu_epi32(to + window.offset, static_cast<__mmask16>(window.mask), bytes);
  }
};
struct ByteOps {
  static __m512i load(const Window& window, const std::byte* from, bool tail) {
    return load_window(window, from, true, tail);
  }
  static __m512i permute(__m512i a, const ShuffleStep& step, __m512i b) {
    return _mm512_permutex2var_epi8(a, _mm512_loadu_si512(step.index), b);
  }
  static __m512i merge(__m512i a, const ShuffleStep& step, __m512i b) { return _mm512_mask_mov_epi8(a, step.mask, b); }
  static void store(std::byte* to, const Window& window, __m512i bytes, bool tail) {
    if (is_stored(window, tail)) store_window(window, to, bytes, tail);
  }
};

// A tile of an unrolled byte shuffle, with masked loads.
template <class In, std::int64_t sources, std::int64_t destinations>
[[gnu::always_inline]] inline void unrolled_tile(const ByteShuffle& shuffle, std::byte* to, const std::byte* from,
                                                 bool tail) {
  constexpr std::int64_t pairs = (sources + 1) / 2;
  __m512i read[sources];
  unroll<sources>([&]<std::int64_t s>() { read[s] = In::load(shuffle.source[s], from, tail); });
  unroll<destinations>([&]<std::int64_t d>() {
    const ShuffleStep* const steps = shuffle.steps + d * pairs;
    __m512i bytes = In::permute(read[0], steps[0], read[sources == 1 ? 0 : 1]);
    if constexpr (pairs == 2) bytes = In::merge(bytes, steps[1], In::permute(read[2], steps[1], read[sources - 1]));
    In::store(to, shuffle.destination[d], bytes, tail);
  });
}

// The only tile: too short to set anything up.
template <class In, std::int64_t sources, std::int64_t destinations>
void byte_shuffle_single(const Plan& plan, const Block& block) noexcept {
  unrolled_tile<In, sources, destinations>(plan.byte_shuffle, block.to, block.from, false);
}

template <class In>
constexpr KernelsByWindows byte_shuffle_single_by_windows = {{
    {byte_shuffle_single<In, 1, 1>, byte_shuffle_single<In, 1, 2>, byte_shuffle_single<In, 1, 3>,
     byte_shuffle_single<In, 1, 4>},
    {byte_shuffle_single<In, 2, 1>, byte_shuffle_single<In, 2, 2>, byte_shuffle_single<In, 2, 3>,
     byte_shuffle_single<In, 2, 4>},
    {byte_shuffle_single<In, 3, 1>, byte_shuffle_single<In, 3, 2>, byte_shuffle_single<In, 3, 3>,
     byte_shuffle_single<In, 3, 4>},
    {byte_shuffle_single<In, 4, 1>, byte_shuffle_single<In, 4, 2>, byte_shuffle_single<In, 4, 3>,
     byte_shuffle_single<In, 4, 4>},
}};

// One at the end of a row. No branch depends on the tile: it would be mispredicted in every row.
template <std::int64_t sources, std::int64_t destinations>
void masked_tile(const ByteShuffle& shuffle, std::byte* to, const std::byte* from, bool tail) {
  unrolled_tile<ByteOps, sources, destinations>(shuffle, to, from, tail);
}

using MaskedTile = void (*)(const ByteShuffle&, std::byte*, const std::byte*, bool);
constexpr MaskedTile masked_tile_by_windows[max_unrolled_windows][max_unrolled_windows] = {
    {masked_tile<1, 1>, masked_tile<1, 2>, masked_tile<1, 3>, masked_tile<1, 4>},
    {masked_tile<2, 1>, masked_tile<2, 2>, masked_tile<2, 3>, masked_tile<2, 4>},
    {masked_tile<3, 1>, masked_tile<3, 2>, masked_tile<3, 3>, masked_tile<3, 4>},
    {masked_tile<4, 1>, masked_tile<4, 2>, masked_tile<4, 3>, masked_tile<4, 4>},
};

// A tile has as many lines as the odd factor of its run: 3, 5 or 7.
static_assert(max_shuffle_lines == 7);
using RunTiles = void (*)(const Plan&, std::byte*, const std::byte*, std::int64_t);
template <bool streaming>
constexpr RunTiles run_unrolled_by_windows[max_unrolled_windows][max_unrolled_windows] = {
    {run_unrolled<1, 1, streaming>, run_unrolled<1, 2, streaming>, run_unrolled<1, 3, streaming>,
     run_unrolled<1, 4, streaming>},
    {run_unrolled<2, 1, streaming>, run_unrolled<2, 2, streaming>, run_unrolled<2, 3, streaming>,
     run_unrolled<2, 4, streaming>},
    {run_unrolled<3, 1, streaming>, run_unrolled<3, 2, streaming>, run_unrolled<3, 3, streaming>,
     run_unrolled<3, 4, streaming>},
    {run_unrolled<4, 1, streaming>, run_unrolled<4, 2, streaming>, run_unrolled<4, 3, streaming>,
     run_unrolled<4, 4, streaming>},
};
template <bool streaming>
constexpr RunTiles run_whole_lines_by_count[] = {run_whole_lines<3, streaming>, run_whole_lines<5, streaming>,
                                                 run_whole_lines<7, streaming>};

// The kernel for full-vector loads of many tiles, if there is one.
template <bool streaming>
inline RunTiles fast_kernel(const ByteShuffle& shuffle) {
  if (shuffle.whole_lines) return run_whole_lines_by_count<streaming>[shuffle.destinations / 2 - 1];
  return shuffle.is_unrolled ? run_unrolled_by_windows<streaming>[shuffle.sources - 1][shuffle.destinations - 1]
                             : nullptr;
}

// Tiles `begin` to `end` of a block's row with masked loads; `tail` is the index of the tail tile, if any.
inline void run_masked(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t begin, std::int64_t end,
                       std::int64_t tail) {
  const ByteShuffle& shuffle = plan.byte_shuffle;
  if (shuffle.is_unrolled) {
    const MaskedTile one = masked_tile_by_windows[shuffle.sources - 1][shuffle.destinations - 1];
    for (std::int64_t i = begin; i < end; ++i) one(shuffle, to + i * plan.a.to, from + i * plan.a.from, i == tail);
    return;
  }
  for (std::int64_t i = begin; i < end; ++i) {
    shuffle_tile(shuffle, to + i * plan.a.to, from + i * plan.a.from, true, i == tail);
  }
}

template <bool streaming>
[[gnu::always_inline]] inline void run_byte_shuffle(const Plan& plan, const Block& block) {
  const ByteShuffle& shuffle = plan.byte_shuffle;
  // Tile indices in this block: those before `safe` and from `unsafe` on need masked loads.
  const std::int64_t whole = shuffle.full_tiles - block.a_begin;
  std::int64_t safe = shuffle.masked_head - block.a_begin, unsafe = whole - shuffle.masked_tail;
  safe = safe < 0 ? 0 : safe > block.a ? block.a : safe;
  unsafe = unsafe < safe ? safe : unsafe > block.a ? block.a : unsafe;
  const RunTiles fast = fast_kernel<streaming>(shuffle);
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte* const to = block.to + j * plan.b.to;
    const std::byte* const from = block.from + j * plan.b.from;
    run_masked(plan, to, from, 0, safe, whole);
    if (fast != nullptr && unsafe > safe) {
      fast(plan, to + safe * plan.a.to, from + safe * plan.a.from, unsafe - safe);
    } else {
      for (std::int64_t i = safe; i < unsafe; ++i) {
        shuffle_tile(shuffle, to + i * plan.a.to, from + i * plan.a.from, false, false);
      }
    }
    run_masked(plan, to, from, unsafe, block.a, whole);
  }
}

inline void byte_shuffle(const Plan& plan, const Block& block) noexcept { run_byte_shuffle<false>(plan, block); }

inline void byte_shuffle_streaming(const Plan& plan, const Block& block) noexcept {
  is_aligned(block.to) ? run_byte_shuffle<true>(plan, block) : run_byte_shuffle<false>(plan, block);
}

}  // namespace
}  // namespace dlspec::optimized
