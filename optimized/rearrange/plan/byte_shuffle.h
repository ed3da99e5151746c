// Byte shuffles: the plan turns the inner axes, a tile of a few vectors on either side, into index vectors for
// VPERMT2B, one for each destination vector and pair of source vectors. Any permutation inside the tile (interleave,
// reverse, gather, broadcast) becomes: load, permute bytes, blend, store.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

inline constexpr std::size_t window_width = 64;  // bytes of a vector
inline constexpr std::int64_t page_size = 4096;  // bytes; the unit in which memory is mapped
inline constexpr std::size_t max_windows = 16;   // per operand
inline constexpr std::size_t max_shuffle_steps = 20;
inline constexpr std::int64_t max_shuffle_lines = 7;    // destination cache lines of a line shuffle's tile
inline constexpr std::size_t max_unrolled_windows = 4;  // per operand, for the fully unrolled kernels

// Up to 64 bytes of one operand that a tile touches. `mask` has a bit for each byte of the tile, `tail_mask` for each
// byte of the smaller tail tile.
struct Window {
  std::int64_t offset;  // from the start of the tile
  std::uint64_t mask;
  std::uint64_t tail_mask;
};

// One VPERMT2B. The bytes in `mask` of a destination window come from the source windows 2 * source_pair and 2 *
// source_pair + 1: byte i from byte index[i] of the first, or index[i] - 64 of the second.
struct ShuffleStep {
  std::uint64_t mask;
  std::size_t source_pair;
  std::uint8_t index[window_width];
};

struct ByteShuffle {
  std::size_t sources = 0;
  std::size_t destinations = 0;
  // At most max_unrolled_windows on either side, and each destination has a step for each source pair.
  bool is_unrolled = false;
  // Destination windows are 64 bytes apart and full; each has one step, from its own source pair.
  bool whole_lines = false;
  bool has_tail = false;        // a partial tile follows the full ones
  std::int64_t full_tiles = 0;  // along the tiled axis
  // Full tiles at the beginning and at the end that need masked loads: a full vector could cross into an unmapped page.
  std::int64_t masked_head = 0;
  std::int64_t masked_tail = 0;
  Window source[max_windows];
  Window destination[max_windows];
  std::size_t first_step[max_windows + 1];  // steps of destination d: first_step[d] to first_step[d + 1] - 1
  ShuffleStep steps[max_shuffle_steps];
};

}  // namespace dlspec::optimized
