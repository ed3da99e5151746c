// SSE2: 16-byte vectors, of one lane.
#pragma once

#include <emmintrin.h>

#include "vector.h"

namespace dlspec::optimized {
namespace {

struct Sse2 {
  static constexpr std::int64_t width = 16, lanes = 1, mask_unit = 0;

  [[gnu::always_inline]] static void stream(std::byte* to, const Lane& vector) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(vector));
  }
  template <class Load>
  [[gnu::always_inline]] static Lane join_lanes(const Load& load) {
    return load(0);
  }
  template <std::int64_t>
  [[gnu::always_inline]] static const Lane& lane(const Lane& vector) {
    return vector;
  }
  [[gnu::always_inline]] static void transpose_lane_grid(Lane*) {}
};

}  // namespace
}  // namespace dlspec::optimized
