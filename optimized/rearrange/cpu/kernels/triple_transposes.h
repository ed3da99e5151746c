// Transposes of triple elements: 3, 6 and 12 bytes, such as pixels and short vectors. As many source rows as give 48
// bytes of the destination, 12 bytes of each.
#pragma once

#include <immintrin.h>

#include "streamed_runs.h"
#include "transposes.h"

namespace dlspec::optimized {
namespace {

constexpr std::int64_t triple_part = 12;  // bytes of a source row in a group
// the first 48 bytes of a vector: a group's part of a destination row
constexpr __mmask64 triple_mask = ~std::uint64_t{0} >> 16;

struct alignas(64) ByteShuffleControl {
  std::uint8_t at[64];

  [[nodiscard, gnu::always_inline]] __m512i load() const { return _mm512_load_si512(at); }
};

// Each lane holds 12 bytes of a row of its own, after `lead` bytes that do not belong to it.
template <std::int64_t size, std::int64_t lead>
struct TripleGroup {
  static constexpr std::int64_t columns = triple_part / size, rows = 4 * columns;

  // Element j of every row moves to position (i + j) % columns.
  static constexpr ByteShuffleControl rotated(std::int64_t i) {
    ByteShuffleControl result{};
    for (std::int64_t at = 0; at < 64; ++at) {
      const std::int64_t byte = (at % 16 + triple_part - lead) % triple_part;
      result.at[at] = static_cast<std::uint8_t>(lead + (byte + triple_part - i * size) % triple_part);
    }
    return result;
  }

  // The bytes of the positions that have the bit set.
  static constexpr std::uint64_t mask_of_places(std::int64_t bit) {
    std::uint64_t result = 0;
    for (std::int64_t at = 0; at < 64; ++at) {
      const std::int64_t byte = at % 16 - lead;
      if (byte >= 0 && byte < triple_part && (byte / size & bit) != 0) result |= std::uint64_t{1} << at;
    }
    return result;
  }

  // From positions (row - i) % columns to 48 bytes in the order of the rows.
  static constexpr ByteShuffleControl gathered(std::int64_t i) {
    ByteShuffleControl result{};
    for (std::int64_t at = 0; at < 48; ++at) {
      const std::int64_t row = at / size, position = (row % columns + columns - i) % columns;
      result.at[at] = static_cast<std::uint8_t>(row / columns * 16 + lead + position * size + at % size);
    }
    return result;
  }
};

// from_row(i) is the address of row i's 12 bytes; store_row(j, row) stores 48 bytes of destination row j. Every row is
// rotated by its index, so that the elements of a column have different positions and blends can collect them: more
// execution ports blend than permute.
template <class V, std::int64_t size, std::int64_t lead, class From, class Store>
[[gnu::always_inline]] inline void transpose_triple_group(const From& from_row, const Store& store_row) {
  using Group = TripleGroup<size, lead>;
  constexpr std::int64_t columns = Group::columns;
  __m512i rows[columns];
  unroll<columns>([&]<std::int64_t i>() __attribute__((always_inline)) {
    rows[i] = reinterpret_cast<__m512i>(V::join_lanes([&](std::int64_t part) __attribute__((always_inline)) {
      return load_lane(from_row(part * columns + i) - lead);
    }));
    static constexpr ByteShuffleControl rotated = Group::rotated(i);
    if constexpr (i != 0) rows[i] = _mm512_shuffle_epi8(rows[i], rotated.load());
  });
  unroll<columns / 2>([&]<std::int64_t stage>() __attribute__((always_inline)) {
    constexpr std::int64_t bit = std::int64_t{1} << stage;
    __m512i next[columns];
    unroll<columns>([&]<std::int64_t i>() __attribute__((always_inline)) {
      next[i] = _mm512_mask_blend_epi8(Group::mask_of_places(bit), rows[i], rows[(i + bit) % columns]);
    });
    unroll<columns>([&]<std::int64_t i>() __attribute__((always_inline)) { rows[i] = next[i]; });
  });
  unroll<columns>([&]<std::int64_t j>() __attribute__((always_inline)) {
    constexpr std::int64_t i = (columns - j) % columns;
    static constexpr ByteShuffleControl gathered = Group::gathered(i);
    store_row(j, _mm512_maskz_permutexvar_epi8(triple_mask, gathered.load(), rows[i]));
  });
}

// `rows` source rows from `from` on, `pitch` bytes apart and at least as many as a group has, of `elements` elements,
// at least 16 bytes. Loads of a group begin 4 bytes early, except for a row's first, so that none reads beyond the row.
// The last groups overlap the previous ones. store_at(row, at, bytes) stores 48 bytes of a destination row.
template <class V, std::int64_t size, class Store>
[[gnu::always_inline]] inline void transpose_triple_rows(const std::byte* from, std::int64_t pitch, std::int64_t rows,
                                                         std::int64_t elements, const Store& store_at) {
  constexpr std::int64_t columns = TripleGroup<size, 0>::columns, group_rows = TripleGroup<size, 0>::rows;
  std::int64_t pitch3 = 3 * pitch;
  asm("" : "+r"(pitch3));
  for (std::int64_t done = 0; done < rows; done += group_rows) {
    const std::int64_t first = min(done, rows - group_rows);
    const std::byte* const start = from + first * pitch;
    const auto group = [&]<std::int64_t lead>(std::int64_t column) __attribute__((always_inline)) {
      // One row address in a register per lane, the others by addition: left alone, the compiler keeps all.
      const std::byte* parts[4];
      unroll<4>([&]<std::int64_t i>() __attribute__((always_inline)) {
        parts[i] = start + i * columns * pitch + column * size;
        asm("" : "+r"(parts[i]));
      });
      transpose_triple_group<V, size, lead>(
          [&](std::int64_t i) __attribute__((always_inline)) {
            return parts[i / columns] + (i % columns == 3 ? pitch3 : i % columns * pitch);
          },
          [&](std::int64_t j, __m512i row) __attribute__((always_inline)) { store_at(column + j, first * size, row); });
    };
    group.template operator()<0>(0);
    for (std::int64_t b = columns; b < elements; b += columns) group.template operator()<4>(min(b, elements - columns));
  }
}

template <class V, std::int64_t size>
void transpose_triple(const Plan& plan, const Block& block) noexcept {
  if (block.a < TripleGroup<size, 0>::rows || block.b * size < 16) return strided<size>(plan, block);
  const Tile all = tile_of(plan, block);
  transpose_triple_rows<V, size>(all.from, all.from_pitch, block.a, block.b,
                                 [&](std::int64_t row, std::int64_t at, __m512i bytes) __attribute__((always_inline)) {
                                   _mm512_mask_storeu_epi8(all.to_row(row) + at, triple_mask, bytes);
                                 });
}

// Streams a packed row from its first to its last cache-line boundary. What precedes the first boundary belongs to the
// previous block, unless this is the row's first; the last line is completed from the `row_bytes` that are packed.
template <class V>
inline void stream_row(const Block& block, std::byte* to, const std::byte* packed, std::int64_t bytes,
                       std::int64_t row_bytes) {
  // The first cache-line boundary at or after `at`.
  const auto line = [&](std::int64_t at) { return at + bytes_to_next_line(to + at); };
  const std::int64_t begin = block.a_begin == 0 ? 0 : min(line(0), row_bytes), end = min(line(bytes), row_bytes);
  stream_bytes<V>(to + begin, packed + begin, end - begin);
}

// The same with non-temporal stores of whole cache lines.
template <class V, std::int64_t size>
void transpose_triple_packed(const Plan& plan, const Block& block) noexcept {
  constexpr std::int64_t group_rows = TripleGroup<size, 0>::rows, extra = (63 + size - 1) / size;
  // an odd number of lines, to spread over the cache sets
  constexpr std::int64_t pitch = (triple_row + (extra * size + 16 + 63) / 64 * 64) | 64;
  if (block.b * size < 16) return strided<size>(plan, block);
  alignas(64) std::byte buffer[triple_strip / size * pitch];
  const bool backwards = plan.b.from < 0;
  const std::int64_t last = block.b - 1, rows = min(block.a + extra, plan.a.extent - block.a_begin);
  // The last rows may be fewer than a group: then it begins with rows of the previous block.
  const std::int64_t before = rows < group_rows ? group_rows - rows : 0;
  transpose_triple_rows<V, size>(tile_of(plan, block).from - before * plan.a.from, plan.a.from, before + rows, block.b,
                                 [&](std::int64_t row, std::int64_t at, __m512i bytes) __attribute__((always_inline)) {
                                   _mm512_storeu_si512(buffer + row * pitch + at, bytes);
                                 });
  for (std::int64_t j = 0; j < block.b; ++j) {
    stream_row<V>(block, block.to + j * plan.b.to, buffer + (backwards ? last - j : j) * pitch + before * size,
                  block.a * size, rows * size);
  }
}

}  // namespace
}  // namespace dlspec::optimized
