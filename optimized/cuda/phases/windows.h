// Aligned words of rows that begin anywhere: the words that are whole are written at once, the others piece by piece.
#pragma once

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {

// The piece at which word `number` of a row begins, counted from the box's origin in this row; `residue` is the address
// of that origin modulo 16. The first word may begin before the row.
template <int width, int word>
DLSPEC_PHASE std::uint32_t first_piece(std::uint32_t number, std::uint32_t residue, std::uint32_t skew) {
  constexpr std::uint32_t pieces = word / width;
  const std::uint32_t ahead = (residue / width + skew) & (pieces - 1);
  return number * pieces - ahead + skew;
}

// Piece i of a word.
template <int width, int word>
DLSPEC_PHASE Word<width> piece_of(const Word<word>& value, std::uint32_t i) {
  if constexpr (width == word) {
    return value;
  } else {
    static_assert(word == 4);
    return {static_cast<decltype(Word<width>::bits)>(value.part[0] >> 8 * width * i)};
  }
}

// Puts piece i into a word that is 0 there.
template <int width, int word>
DLSPEC_PHASE void put_piece(Word<word>& value, std::uint32_t i, const Word<width>& piece) {
  if constexpr (width == word) {
    value = piece;
  } else {
    static_assert(word == 4);
    value.part[0] |= static_cast<std::uint32_t>(piece.bits) << 8 * width * i;
  }
}

}  // namespace dlspec::optimized::cuda
