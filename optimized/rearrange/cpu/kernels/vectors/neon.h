// NEON: 16-byte vectors, of one lane. It has no non-temporal store of one vector.
#pragma once

#include "vector.h"

namespace dlspec::optimized {
namespace {

struct Neon {
  static constexpr std::int64_t width = 16, lanes = 1, mask_unit = 0;

  [[gnu::always_inline]] static void stream(std::byte* to, const Lane& vector) { store(to, vector); }
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
