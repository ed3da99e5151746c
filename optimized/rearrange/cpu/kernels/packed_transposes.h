// Transposes beyond the caches of a core, with a packing buffer as in GEMM. Memory is fast if rows are read and written
// in runs of several cache lines: so one panel at a time is transposed into a buffer in L1, and its rows leave from
// there as whole lines by non-temporal stores, while the next panel is transposed: neither waits for the other.
#pragma once

#include "streamed_runs.h"
#include "transposes.h"

namespace dlspec::optimized {
namespace {

// Maximum number of rows per pass if the rows are not cache-line aligned.
inline constexpr std::int64_t max_packed_rows = 512;

// A panel: some bytes of some destination rows. A cache line in front of each row takes the bytes that the previous
// panel left of its last, incomplete line.
struct PackingBuffer {
  std::int64_t pitch;
  alignas(64) std::byte bytes[24576];

  [[nodiscard]] std::byte* start(std::int64_t j) { return bytes + j * pitch + 64; }
};

// Streams a panel's part of a row: `size` bytes at `from` to `to`, in whole cache lines. The bytes before `from`
// precede it in the row and complete its first line, unless the part is the row's first. An incomplete last line is
// left for the next panel, unless the part is the row's last.
template <class V>
inline void stream_panel_row(std::byte* to, const std::byte* from, std::int64_t size, bool first, bool last) {
  const auto before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) & 63);
  std::int64_t begin = -before;
  if (first && before != 0) {
    begin = min(64 - before, size);
    copy_bytes<V>(to, from, begin);
  }
  const std::int64_t lines = (size - begin) / 64 * 64;
  stream_lines<V>(to + begin, from + begin, lines);
  if (last) copy_bytes<V>(to + begin + lines, from + begin + lines, size - begin - lines);
}

// The panel whose rows are being stored.
template <class V>
struct PendingStores {
  PackingBuffer* buffer = nullptr;
  std::byte* to = nullptr;
  std::int64_t to_pitch = 0;
  std::int64_t bytes = 0;  // of each row
  std::int64_t rows = 0;
  std::int64_t done = 0;
  bool first = false, last = false;

  // Up to the share `part` of `whole`.
  [[gnu::always_inline]] void advance(std::int64_t part, std::int64_t whole) {
    for (const std::int64_t end = rows * part / whole; done < end; ++done) {
      stream_panel_row<V>(to + done * to_pitch, buffer->start(done), bytes, first, last);
    }
  }
};

// The source of the next panel, which is being prefetched.
struct PendingPrefetch {
  const std::byte* from = nullptr;  // NULL: none
  std::int64_t pitch = 0;
  std::int64_t bytes = 0;
  std::int64_t rows = 0;
  std::int64_t done = 0;

  [[gnu::always_inline]] void advance(std::int64_t part, std::int64_t whole) {
    if (from == nullptr) return;
    for (const std::int64_t end = rows * part / whole; done < end; ++done) {
      for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + done * pitch + at, 0, 2);
    }
  }
};

template <class V, std::int64_t size>
[[gnu::always_inline]] inline void pack_tile(const Tile& tile) {
  // Rows a power of two apart map to few cache sets: so each line is read once, whole.
  if constexpr (V::width == 64 && size <= 2) {
    transpose_tile<V, size>([&](std::int64_t i) __attribute__((always_inline)) { return load<V>(tile.from_row(i)); },
                            [&](std::int64_t i, const Vector<V>& row)
                                __attribute__((always_inline)) { store(tile.to_row(i), row); });
  } else {
    transpose_full<V, size, false>(tile);
  }
}

// Transposes `columns` elements of each of `high` source rows from `from` on into rows of the buffer.
template <class V, std::int64_t size>
void pack_panel(PackingBuffer& buffer, const std::byte* from, std::int64_t from_pitch, std::int64_t high,
                std::int64_t columns, PendingStores<V>& pending, PendingPrefetch& prefetch) {
  constexpr std::int64_t side = V::width / size;
  const std::int64_t tiles = ((high + side - 1) / side) * ((columns + side - 1) / side);
  std::int64_t done = 0;
  for (std::int64_t a = 0; a < high; a += side) {
    for (std::int64_t b = 0; b < columns; b += side) {
      const Tile tile{buffer.start(b) + a * size, buffer.pitch, from + a * from_pitch + b * size, from_pitch};
      if (high - a >= side && columns - b >= side) {
        pack_tile<V, size>(tile);
      } else {
        transpose_edge<V, size>(tile, min(high - a, side), min(columns - b, side));
      }
      pending.advance(++done, tiles);
      prefetch.advance(done, tiles);
    }
  }
}

// Position of a panel in its block, and the extents of all panels along a and b.
struct PanelPosition {
  std::int64_t a, b, high, wide;
};

// `all` is the whole block.
template <std::int64_t size>
PendingPrefetch next_panel(const Tile& all, const Block& block, const PanelPosition& position) {
  const auto& [a, b, high, wide] = position;
  const std::int64_t first_columns = min(block.b, wide) * size;
  if (b + wide < block.b) {
    const std::byte* const next = all.from_row(a) + (b + wide) * size;
    return {next, all.from_pitch, min(block.b - b - wide, wide) * size, min(block.a - a, high), 0};
  }
  if (a + high < block.a) {
    return {all.from_row(a + high), all.from_pitch, first_columns, min(block.a - a - high, high), 0};
  }
  if (block.prefetch_offset != 0)
    return {all.from + block.prefetch_offset, all.from_pitch, first_columns, min(block.a, high), 0};
  return {};
}

// Panel by panel: along the source rows, then along the destination rows.
template <class V, std::int64_t size>
void transpose_panels(const Plan& plan, const Block& block, bool in_lines) {
  PackingBuffer buffers[2];
  // A cache line that two panels share costs time: as few of these as possible.
  const std::int64_t row = in_lines ? 128 : 256, high = row / size;  // bytes and elements of a panel's row
  const std::int64_t wide = in_lines ? 128 : 32;                     // rows of a panel
  static_assert(sizeof buffers[0].bytes >= 128 * (64 + 128) && sizeof buffers[0].bytes >= 32 * (64 + 256));
  buffers[0].pitch = buffers[1].pitch = 64 + row;
  alignas(64) std::byte row_tails[max_packed_rows][64];  // the last bytes of each row so far
  const Tile all = tile_of(plan, block);
  // The hardware prefetcher does not follow too many rows, nor short rows on different pages.
  const bool needs_prefetch =
      size <= 2 || (block.b * size <= 1024 && (plan.a.from >= page_size || plan.a.from <= -page_size));
  PendingStores<V> pending;
  int current = 0;
  for (std::int64_t a = 0; a < block.a; a += high) {
    const std::int64_t rows = min(block.a - a, high), bytes = rows * size;
    const bool first = a == 0, last = a + high >= block.a;
    for (std::int64_t b = 0; b < block.b; b += wide, current = 1 - current) {
      const std::int64_t columns = min(block.b - b, wide);
      const std::byte* const start = all.from_row(a) + b * size;
      PackingBuffer& buffer = buffers[current];
      if (!first && !in_lines) {
        for (std::int64_t j = 0; j < columns; ++j) copy_vectors<V>(buffer.start(j) - 64, row_tails[b + j], 64);
      }
      PendingPrefetch prefetch = needs_prefetch ? next_panel<size>(all, block, {a, b, high, wide}) : PendingPrefetch{};
      pack_panel<V, size>(buffer, start, all.from_pitch, rows, columns, pending, prefetch);
      if (!last && !in_lines) {
        for (std::int64_t j = 0; j < columns; ++j) copy_vectors<V>(row_tails[b + j], buffer.start(j) + bytes - 64, 64);
      }
      pending = {&buffer, all.to_row(b) + a * size, all.to_pitch, bytes, columns, 0, first, last};
    }
  }
  pending.advance(1, 1);
}

template <class V, std::int64_t size>
void transpose_packed(const Plan& plan, const Block& block) noexcept {
  if (rows_are_line_aligned(plan, block)) return transpose_panels<V, size>(plan, block, true);
  Block part = block;
  for (std::int64_t b = 0; b < block.b; b += max_packed_rows) {
    part.b = min(block.b - b, max_packed_rows);
    transpose_panels<V, size>(plan, part, false);
    part.to += max_packed_rows * plan.b.to;
    part.from += max_packed_rows * plan.b.from;
  }
}

}  // namespace
}  // namespace dlspec::optimized
