// Transposes in tiles. Those with unaligned destination rows use a packing buffer instead of stores that cross cache
// lines.
#pragma once

#include "transposes.h"

namespace dlspec::optimized {
namespace {

// At least a vector: only the first and the last store may cross a cache line.
template <class V>
[[gnu::always_inline]] inline void copy_aligned(std::byte* to, const std::byte* from, std::int64_t bytes) {
  store(to, load<V>(from));
  const Vector<V> last = load<V>(from + bytes - V::width);
  std::int64_t done = V::width - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % V::width);
  for (; done + V::width <= bytes; done += V::width) store(to + done, load<V>(from + done));
  store(to + bytes - V::width, last);
}

// Stores that cross cache lines take twice as long if the lines are not in L1. The block has a full tile. Rows of tiles
// are split so that the buffer, the source rows and the destination rows fit L1.
template <class V, std::int64_t size>
void transpose_unaligned(const Plan& plan, const Block& block) noexcept {
  constexpr std::int64_t side = V::width / size, pitch = size == 4 ? 9 * 64 : 19 * 64, max_columns = pitch / size;
  alignas(64) std::byte buffer[side * pitch];
  const Tile all = tile_of(plan, block);
  for (std::int64_t part = 0; part < block.a; part += max_columns) {
    const std::int64_t first = min(part, block.a - side), count = min(block.a - first, max_columns);
    for (std::int64_t b = 0; b < block.b; b += side) {
      const std::int64_t at_b = min(b, block.b - side);
      for (std::int64_t a = 0; a < count; a += side) {
        const std::int64_t at_a = min(a, count - side);
        const std::byte* const start = all.from_row(first + at_a) + at_b * size;
        transpose_full<V, size, false>(Tile{buffer + at_a * size, pitch, start, all.from_pitch});
      }
      for (std::int64_t j = b - at_b; j < side; ++j) {  // those before it are done
        copy_aligned<V>(all.to_row(at_b + j) + first * size, buffer + j * pitch, count * size);
      }
    }
  }
}

// A single tile with ascending source addresses: inspecting the block would take a good part of the copy.
template <class V, std::int64_t size>
void transpose_single(const Plan& plan, const Block& block) noexcept {
  transpose_full<V, size, false>(Tile{block.to, plan.b.to, block.from, plan.a.from});
}

// Payloads in L1 of full tiles only: so short that they repay no more setup.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline bool transpose_short(const Plan& plan, const Block& block) {
  constexpr std::int64_t side = V::width / size;
  if (plan.geometry.bytes > l1_payload || plan.b.from < 0) return false;
  Tile tile{block.to, plan.b.to, block.from, plan.a.from};
  if (block.a == side && block.b == side) return transpose_full<V, size, false>(tile), true;
  if (block.a % side != 0 || block.b % columns_per_step<V, size> != 0) return false;
  for (std::int64_t a = 0; a < block.a; a += side) {
    transpose_strip<V, size, false>(tile, block.b);
    tile.to += V::width;
    tile.from += side * tile.from_pitch;
  }
  return true;
}

template <class V, std::int64_t size>
void transpose(const Plan& plan, const Block& block) noexcept {
  if constexpr (V::width == 64 && size >= 4) {
    constexpr std::int64_t side = V::width / size;
    if (!rows_are_line_aligned(plan, block) && block.a >= 2 * side && block.b >= side &&
        plan.geometry.bytes > l1_payload) {
      return transpose_unaligned<V, size>(plan, block);
    }
  }
  if (transpose_short<V, size>(plan, block)) return;
  transpose_block<V, size, false>(plan, block);
}

}  // namespace
}  // namespace dlspec::optimized
