// The steps of a byte shuffle: which source byte goes to which destination byte.
#pragma once

#include <dlspec/optimized/rearrange/plan/byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>

namespace dlspec::optimized {

// Finds the windows and the steps of a tile. False if there are too many.
[[nodiscard]] bool find_shuffle_steps(const Geometry& geometry, const ShuffleTile& tile, ByteShuffle& shuffle) noexcept;

}  // namespace dlspec::optimized
