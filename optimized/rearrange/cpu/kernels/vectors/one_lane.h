// What instruction sets with vectors of 16 bytes, of one lane, have in common.
#pragma once

#include "vector.h"

namespace dlspec::optimized {
namespace {

struct OneLane {
  static constexpr std::int64_t width = 16, lanes = 1;
  [[nodiscard]] static constexpr bool masks_elements_of(std::int64_t) { return false; }

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
