// Byte programs: the axes of a small cell, a few vectors on either side, are worked out once into index
// vectors, one for each destination vector and two source vectors that it takes bytes from. Whatever the cell does
// inside (interleave, reverse, gather, repeat), it is carried out as: load, permute bytes, merge, store.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

inline constexpr std::size_t program_width = 64;  // bytes of a vector
inline constexpr std::int64_t page = 4096;        // bytes that the system maps together, all or none
inline constexpr std::size_t most_windows = 16;   // of one side
inline constexpr std::size_t most_moves = 20;
inline constexpr std::int64_t most_lines = 7;   // of a line program's cell
inline constexpr std::size_t most_regular = 4;  // windows on either side of a regular program

// Up to 64 bytes of one side that a cell touches. `bytes` has a bit for each byte that belongs to the cell,
// `part` for those of the last, smaller cell.
struct Window {
  std::int64_t offset;  // from the cell's start
  std::uint64_t bytes;
  std::uint64_t part;
};

// Bytes `mask` of a destination window come from two neighbouring source windows, 2 * sources and 2 * sources + 1:
// byte i from byte index[i] of the first, or index[i] - 64 of the second.
struct Move {
  std::uint64_t mask;
  std::size_t sources;
  std::uint8_t index[program_width];
};

struct Program {
  std::size_t sources = 0;
  std::size_t destinations = 0;
  bool regular = false;  // at most most_regular windows on either side, and every move of each destination is there
  bool lines =
      false;  // each destination is 64 bytes behind the one before, full, and has one move from a pair of its own
  bool has_part = false;   // after the whole cells one more with what is left
  std::int64_t whole = 0;  // cells along the axis that is cut into cells
  std::int64_t head = 0;   // cells at the beginning, and
  std::int64_t tail = 0;   // at the end of the whole ones, of which only the cell's own bytes may be read
  Window source[most_windows];
  Window destination[most_windows];
  std::size_t first_move[most_windows + 1];  // moves of destination d: first_move[d] to first_move[d + 1] - 1
  Move moves[most_moves];
};

}  // namespace dlspec::optimized
