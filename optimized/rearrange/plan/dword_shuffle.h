// Byte shuffles in units of 4 bytes: VPERMT2D takes half the time of VPERMT2B.
#pragma once

#include <dlspec/optimized/rearrange/plan/byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// True if every run and every stride is a multiple of 4 bytes.
[[nodiscard]] bool has_dword_granularity(const Geometry& geometry) noexcept;

// Converts an unrolled single-tile byte shuffle of such a geometry: bit i of every mask stands for bytes 4 * i to 4 * i
// + 3, and the index holds one 32-bit number per dword. Afterwards only the engines' dword kernels may read it.
void convert_to_dwords(ByteShuffle& shuffle) noexcept;

}  // namespace dlspec::optimized
