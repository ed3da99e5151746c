// AVX2: 32-byte vectors, of two lanes.
#pragma once

#include <immintrin.h>

#include "vector.h"

namespace dlspec::optimized {
namespace {

struct Avx2 {
  static constexpr std::int64_t width = 32, lanes = 2, mask_unit = 4;  // bytes that a mask selects together
  [[nodiscard]] static constexpr bool masks_elements_of(std::int64_t size) { return size % mask_unit == 0; }
  using Bytes = VectorOf<width, 8>::Type;

  [[gnu::always_inline]] static void stream(std::byte* to, const Bytes& vector) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(vector));
  }
  template <class Load>
  [[gnu::always_inline]] static Bytes join_lanes(const Load& load) {
    const auto wide = [](const Lane& bytes) { return reinterpret_cast<__m128i>(bytes); };
    return reinterpret_cast<Bytes>(_mm256_inserti128_si256(_mm256_castsi128_si256(wide(load(0))), wide(load(1)), 1));
  }
  template <std::int64_t i>
  [[gnu::always_inline]] static Lane lane(const Bytes& vector) {
    return reinterpret_cast<Lane>(_mm256_extracti128_si256(reinterpret_cast<__m256i>(vector), i));
  }
  [[gnu::always_inline]] static void transpose_lane_grid(Bytes* rows) {
    const Bytes a = rows[0], b = rows[1];
    rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  }

  struct Mask {
    __m256i units;
    std::int64_t bytes;
  };
  [[gnu::always_inline]] static Mask first_bytes(std::int64_t count) {
    return {_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count / mask_unit)),
                               _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
            count};
  }
  [[gnu::always_inline]] static Bytes load(const std::byte* from, const Mask& mask) {
    return reinterpret_cast<Bytes>(_mm256_maskload_epi32(reinterpret_cast<const int*>(from), mask.units));
  }
  // Pieces of one vector are forwarded to the loads that copy them.
  [[gnu::always_inline]] static void store(std::byte* to, const Bytes& vector, const Mask& mask) {
    if (mask.bytes == width) return optimized::store(to, vector);
    alignas(width) std::byte bytes[width];
    optimized::store(bytes, vector);
    const std::byte* from = bytes;
    if ((mask.bytes & 16) != 0) copy_piece<Lane>(to, from);
    if ((mask.bytes & 8) != 0) copy_piece<std::uint64_t>(to, from);
    if ((mask.bytes & 4) != 0) copy_piece<std::uint32_t>(to, from);
  }

  // Within each lane, the bytes that `control` names; zero for those with the upper bit (VPSHUFB).
  [[gnu::always_inline]] static Bytes shuffle_bytes(const Bytes& vector, const Bytes& control) {
    return reinterpret_cast<Bytes>(
        _mm256_shuffle_epi8(reinterpret_cast<__m256i>(vector), reinterpret_cast<__m256i>(control)));
  }

 private:
  template <class Piece>
  [[gnu::always_inline]] static void copy_piece(std::byte*& to, const std::byte*& from) {
    optimized::store(to, load_as<Piece>(from));
    to += sizeof(Piece);
    from += sizeof(Piece);
  }
};

}  // namespace
}  // namespace dlspec::optimized
