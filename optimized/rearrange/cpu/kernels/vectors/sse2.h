// SSE2: 16-byte vectors.
#pragma once

#include <emmintrin.h>

#include "one_lane.h"

namespace dlspec::optimized {
namespace {

struct Sse2 : OneLane {
  [[gnu::always_inline]] static void stream(std::byte* to, const Lane& vector) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(vector));
  }
};

}  // namespace
}  // namespace dlspec::optimized
