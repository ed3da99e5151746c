// Byte shuffles for engines that permute within 128-bit lanes only (PSHUFB) and store without masks: AVX2, NEON. Each
// lane of a destination vector combines a few 16-byte loads: load, shuffle, OR. Loads stay within the tile's byte span
// in the source and stores within the tile's own bytes, so that the ends need no special case.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>

namespace dlspec::optimized {

inline constexpr std::int64_t lane_width = 16;          // bytes
inline constexpr std::int64_t max_lanes = 2;            // per vector
inline constexpr std::size_t max_lane_vectors = 32;     // vectors per tile
inline constexpr std::size_t max_steps_per_vector = 8;  // 16-byte loads per lane
inline constexpr std::size_t max_lane_steps = 64;       // steps per tile

// Vector v has the steps first[v] to first[v + 1] - 1. Its lane l goes to to[v][l]. Lane l of a step loads 16 bytes at
// from[step][l]; byte i takes byte control[step][16 * l + i] of them, or zero if that is 128.
struct LaneShuffle {
  std::size_t vectors = 0;
  // If the axis is no multiple of the tile, one more tile ends where the axis ends, so many bytes after the last full
  // one; the bytes in both are written twice.
  std::int64_t tail_to = 0;
  std::int64_t tail_from = 0;
  std::size_t first[max_lane_vectors + 1];
  std::int64_t to[max_lane_vectors][max_lanes];
  std::int64_t from[max_lane_steps][max_lanes];
  std::uint8_t control[max_lane_steps][max_lanes * lane_width];
};

// Converts a byte shuffle of the same geometry to vectors of `width` bytes. False if that does not pay or does not fit:
// destination rows, or source spans, shorter than a lane; bytes from too many places.
[[nodiscard]] bool make_lane_shuffle(const Geometry& geometry, const ShuffleTile& tile, const ByteShuffle& shuffle,
                                     std::int64_t width, LaneShuffle& lane_shuffle) noexcept;

}  // namespace dlspec::optimized
