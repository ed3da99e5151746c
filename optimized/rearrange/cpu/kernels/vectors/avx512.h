// AVX-512 with VBMI (byte permutes): 64-byte vectors, of four lanes.
#pragma once

#include <immintrin.h>

#include "vector.h"

namespace dlspec::optimized {
namespace {

struct Avx512 {
  static constexpr std::int64_t width = 64, lanes = 4;
  [[nodiscard]] static constexpr bool masks_elements_of(std::int64_t) { return true; }
  using Bytes = VectorOf<width, 8>::Type;

  [[gnu::always_inline]] static void stream(std::byte* to, const Bytes& vector) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), wide(vector));
  }
  template <class Load>
  [[gnu::always_inline]] static Bytes join_lanes(const Load& load) {
    const auto one = [](const Lane& bytes) { return reinterpret_cast<__m128i>(bytes); };
    __m512i all = _mm512_castsi128_si512(one(load(0)));
    all = _mm512_inserti32x4(all, one(load(1)), 1);
    all = _mm512_inserti32x4(all, one(load(2)), 2);
    return reinterpret_cast<Bytes>(_mm512_inserti32x4(all, one(load(3)), 3));
  }
  template <std::int64_t i>
  [[gnu::always_inline]] static Lane lane(const Bytes& vector) {
    return reinterpret_cast<Lane>(_mm512_maskz_extracti32x4_epi32(0xf, wide(vector), i));
  }
  [[gnu::always_inline]] static void transpose_lane_grid(Bytes* rows) {
    const Bytes a = __builtin_shufflevector(rows[0], rows[1], 0, 1, 2, 3, 8, 9, 10, 11);
    const Bytes b = __builtin_shufflevector(rows[0], rows[1], 4, 5, 6, 7, 12, 13, 14, 15);
    const Bytes c = __builtin_shufflevector(rows[2], rows[3], 0, 1, 2, 3, 8, 9, 10, 11);
    const Bytes d = __builtin_shufflevector(rows[2], rows[3], 4, 5, 6, 7, 12, 13, 14, 15);
    rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5, 8, 9, 12, 13);
    rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7, 10, 11, 14, 15);
    rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5, 8, 9, 12, 13);
    rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7, 10, 11, 14, 15);
  }

  [[gnu::always_inline]] static __mmask64 first_bytes(std::int64_t count) { return ~std::uint64_t{0} >> (64 - count); }
  [[gnu::always_inline]] static Bytes load(const std::byte* from, __mmask64 mask) {
    return reinterpret_cast<Bytes>(_mm512_maskz_loadu_epi8(mask, from));
  }
  [[gnu::always_inline]] static void store(std::byte* to, const Bytes& vector, __mmask64 mask) {
    _mm512_mask_storeu_epi8(to, mask, wide(vector));
  }

  // Interleaves lanes of two vectors: 0 and 2 of both become `a`, 1 and 3 become `b`. One port shuffles, two blend: one
  // shuffle and two blends are best among many other shuffles (size < 8), two shuffles otherwise.
  template <std::int64_t size>
  [[gnu::always_inline]] static void swap_lanes(Bytes& a, Bytes& b) {
    if constexpr (size >= 8) {
      const Bytes even = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      b = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
      a = even;
    } else {
      const __m512i crossed = wide(__builtin_shufflevector(a, b, 2, 3, 8, 9, 6, 7, 12, 13));
      a = reinterpret_cast<Bytes>(_mm512_mask_blend_epi64(0xcc, wide(a), crossed));
      b = reinterpret_cast<Bytes>(_mm512_mask_blend_epi64(0xcc, crossed, wide(b)));
    }
  }

  // 32 bytes from each of two addresses, assembled by the load ports.
  [[gnu::always_inline]] static Bytes join_halves(const std::byte* low, const std::byte* high) {
    __m256i halves[2];
    __builtin_memcpy(halves, low, 32);
    __builtin_memcpy(halves + 1, high, 32);
    return reinterpret_cast<Bytes>(_mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(halves[0]), halves[1], 1));
  }

 private:
  [[gnu::always_inline]] static __m512i wide(const Bytes& vector) { return reinterpret_cast<__m512i>(vector); }
};

}  // namespace
}  // namespace dlspec::optimized
