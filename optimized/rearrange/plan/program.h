// Byte programs: the axes of a small cell, a few vectors on either side, are worked out once into index
// vectors, one for each pair of a source and a destination vector that share bytes. Whatever the cell does
// inside (interleave, reverse, gather, repeat), it is carried out as: load, permute bytes, merge, store.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

inline constexpr std::size_t program_width = 64;  // bytes of a vector
inline constexpr std::size_t most_windows = 16;   // of one side
inline constexpr std::size_t most_pairs = 20;

// Up to 64 bytes of one side that a cell touches. `bytes` has a bit for each byte that belongs to the cell,
// `part` for those of the last, smaller cell. Byte 0 belongs to every cell.
struct Window {
  std::int64_t offset;  // from the cell's start
  std::uint64_t bytes;
  std::uint64_t part;
};

// Bytes `mask` of a destination window come from a source window: byte i from its byte index[i].
struct Pair {
  std::uint64_t mask;
  std::size_t source;
  std::uint8_t index[program_width];
};

struct Program {
  std::size_t sources = 0;
  std::size_t destinations = 0;
  std::int64_t whole = 0;   // cells along the axis that is cut into cells
  bool has_part = false;    // and one more with what is left
  std::int64_t head = 0;    // cells at the beginning, and
  std::int64_t tail = 0;    // at the end of the whole ones, of which only the cell's own bytes may be read
  Window source[most_windows];
  Window destination[most_windows];
  std::size_t first_pair[most_windows + 1];  // pairs of destination d: first_pair[d] to first_pair[d + 1] - 1
  Pair pairs[most_pairs];
};

}  // namespace dlspec::optimized
