// Micro-kernels: register tiles with a vector of elements in both directions.
#pragma once

#include "elements.h"
#include "vectors/vector.h"

namespace dlspec::optimized {
namespace {

// The rows of a tile: row i of the source becomes column i of the destination.
struct Tile {
  std::byte* to;
  std::int64_t to_pitch;
  const std::byte* from;
  std::int64_t from_pitch;

  [[nodiscard]] std::byte* to_row(std::int64_t i) const { return to + i * to_pitch; }
  [[nodiscard]] const std::byte* from_row(std::int64_t i) const { return from + i * from_pitch; }
};

// The tile that begins at element `a` of the destination rows and element `b` of the source rows.
template <std::int64_t size>
[[gnu::always_inline]] inline Tile part_of(const Tile& tile, std::int64_t a, std::int64_t b) {
  return {tile.to_row(b) + a * size, tile.to_pitch, tile.from_row(a) + b * size, tile.from_pitch};
}

// A tile whose row offsets come from tables.
struct IndexedTile {
  std::byte* to;
  const std::int64_t* to_rows;
  const std::byte* from;
  const std::int64_t* from_rows;

  [[nodiscard]] std::byte* to_row(std::int64_t i) const { return to + to_rows[i]; }
  [[nodiscard]] const std::byte* from_row(std::int64_t i) const { return from + from_rows[i]; }
};

// A tile of `width / size` rows and columns. Rows form groups of one lane's elements: transposed within the lanes, then
// lane by lane across the groups.
template <class V, std::int64_t size, class Load, class Store>
[[gnu::always_inline]] inline void transpose_tile(const Load& load_row, const Store& store_row) {
  constexpr std::int64_t lane_elements = 16 / size;
  Vector<V> rows[V::lanes][lane_elements];
  unroll<V::lanes>([&]<std::int64_t group>() __attribute__((always_inline)) {
    Vector<V> part[lane_elements];
    unroll<lane_elements>([&]<std::int64_t i>()
                              __attribute__((always_inline)) { part[i] = load_row(group * lane_elements + i); });
    transpose_in_lanes<V, size>(part);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) { rows[group][i] = part[i]; });
  });
  unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
    Vector<V> across[V::lanes];
    unroll<V::lanes>([&]<std::int64_t group>() __attribute__((always_inline)) { across[group] = rows[group][i]; });
    V::transpose_lane_grid(across);
    unroll<V::lanes>([&]<std::int64_t group>()
                         __attribute__((always_inline)) { store_row(group * lane_elements + i, across[group]); });
  });
}

// The columns of the source in lane `group` of its rows become as many destination rows. Each lane of a vector is
// loaded from a row of its own, so that only the transpose within lanes remains.
template <class V, std::int64_t size, class Load, class Store>
[[gnu::always_inline]] inline void transpose_group(std::int64_t group, const Load& load_from, const Store& store_row) {
  constexpr std::int64_t lane_elements = 16 / size;
  Vector<V> part[lane_elements];
  unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
    part[i] = V::join_lanes([&](std::int64_t lane)
                                __attribute__((always_inline)) { return load_from(lane * lane_elements + i); });
  });
  transpose_in_lanes<V, size>(part);
  unroll<lane_elements>([&]<std::int64_t i>()
                            __attribute__((always_inline)) { store_row(group * lane_elements + i, part[i]); });
}

// The columns of the source in a half of its rows: two rows share a vector from the start, which saves half of the
// shuffles across lanes.
template <class V, std::int64_t size, class From, class Store>
[[gnu::always_inline]] inline void transpose_half(const From& from_row, const Store& store_row) {
  constexpr std::int64_t lane_elements = 16 / size;
  Vector<V> rows[2][lane_elements];
  unroll<2>([&]<std::int64_t group>() __attribute__((always_inline)) {
    Vector<V> part[lane_elements];
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
      part[i] = V::join_halves(from_row(group * lane_elements + i), from_row((group + 2) * lane_elements + i));
    });
    transpose_in_lanes<V, size>(part);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) { rows[group][i] = part[i]; });
  });
  unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
    V::template swap_lanes<size>(rows[0][i], rows[1][i]);
    store_row(i, rows[0][i]);
    store_row(lane_elements + i, rows[1][i]);
  });
}

// Addresses of `count` rows: every fourth in a register, those between by addition. Left alone, the compiler computes
// all of them and spills.
template <std::int64_t count, class Byte>
struct RowPointers {
  Byte* fourth[(count + 3) / 4];
  std::int64_t pitch, pitch3;

  [[gnu::always_inline]] RowPointers(Byte* first, std::int64_t by) : pitch(by), pitch3(3 * by) {
    unroll<(count + 3) / 4>([&]<std::int64_t i>() __attribute__((always_inline)) {
      fourth[i] = first + 4 * i * by;
      asm("" : "+r"(fourth[i]));
    });
    asm("" : "+r"(pitch3));
  }
  [[gnu::always_inline]] Byte* operator()(std::int64_t i) const {
    return fourth[i / 4] + (i % 4 == 3 ? pitch3 : i % 4 * pitch);
  }
  [[gnu::always_inline]] void advance(std::int64_t bytes) {
    unroll<(count + 3) / 4>([&]<std::int64_t i>() __attribute__((always_inline)) {
      fourth[i] += bytes;
      asm("" : "+r"(fourth[i]));
    });
  }
};

template <class V, bool streaming>
[[gnu::always_inline]] inline void put(std::byte* to, const Vector<V>& row) {
  streaming ? V::stream(to, row) : store(to, row);
}

// True if transpose_half() makes two steps of a tile.
template <class V, std::int64_t size>
constexpr bool has_halves = V::width == 64 && size > 1;

// Columns of the source per step.
template <class V, std::int64_t size>
constexpr std::int64_t columns_per_step = has_halves<V, size> ? V::width / size / 2 : V::width / size;

// The rows of the next tile (NULL: unknown), to prefetch: in the destination because stores wait for cache lines that
// are not in L1, and in the source.
struct NextTile {
  const std::byte* to = nullptr;
  const std::byte* from = nullptr;

  template <std::int64_t rows>
  [[gnu::always_inline]] void prefetch(const Tile& tile) {
    if (to != nullptr) {
      unroll<rows>([&]<std::int64_t>()
                       __attribute__((always_inline)) { __builtin_prefetch(to, 1), to += tile.to_pitch; });
    }
    if (from != nullptr) {
      unroll<rows>([&]<std::int64_t>()
                       __attribute__((always_inline)) { __builtin_prefetch(from), from += tile.from_pitch; });
    }
  }
};

// A row of tiles, `columns` source elements wide: a multiple of columns_per_step.
template <class V, std::int64_t size, bool streaming>
[[gnu::always_inline]] inline void transpose_strip(const Tile& tile, std::int64_t columns, NextTile next_tile = {}) {
  constexpr std::int64_t step = columns_per_step<V, size>;
  RowPointers<V::width / size, const std::byte> from(tile.from, tile.from_pitch);
  if constexpr (has_halves<V, size>) {
    RowPointers<step, std::byte> to(tile.to, tile.to_pitch);
#pragma GCC unroll 1
    for (std::int64_t b = 0; b < columns; b += step) {
      next_tile.prefetch<step>(tile);
      transpose_half<V, size>(from, [&](std::int64_t i, const Vector<V>& row)
                                        __attribute__((always_inline)) { put<V, streaming>(to(i), row); });
      from.advance(step * size);
      to.advance(step * tile.to_pitch);
    }
  } else {
    for (std::int64_t b = 0; b < columns; b += step) {
      unroll<V::lanes>([&]<std::int64_t group>() __attribute__((always_inline)) {
        next_tile.prefetch<step / V::lanes>(tile);
        transpose_group<V, size>(
            group, [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(from(i) + 16 * group); },
            [&](std::int64_t i, const Vector<V>& row)
                __attribute__((always_inline)) { put<V, streaming>(tile.to_row(b + i), row); });
      });
      from.advance(V::width);
    }
  }
}

// A full tile, by the fastest method for its element size.
template <class V, std::int64_t size, bool streaming>
[[gnu::always_inline]] inline void transpose_full(const Tile& tile, const NextTile& next_tile = {}) {
  constexpr std::int64_t crowded_pitch = 1024;  // bytes: rows map to few sets of L1, so each line is read once, whole
  if constexpr (V::width == 64 && size <= 2)
    if ((size == 1 && streaming) || tile.from_pitch % crowded_pitch == 0) {
      return transpose_tile<V, size>([&](std::int64_t i)
                                         __attribute__((always_inline)) { return load<V>(tile.from_row(i)); },
                                     [&](std::int64_t i, const Vector<V>& row)
                                         __attribute__((always_inline)) { put<V, streaming>(tile.to_row(i), row); });
    }
  transpose_strip<V, size, streaming>(tile, V::width / size, next_tile);
}

template <class V, std::int64_t size>
[[gnu::noinline]] void transpose_full(const IndexedTile& given) {
  const IndexedTile tile = given;  // a local copy: stores cannot alias it
  if constexpr (has_halves<V, size>) {
    constexpr std::int64_t rows = V::width / size / 2;
    unroll<2>([&]<std::int64_t half>() __attribute__((always_inline)) {
      transpose_half<V, size>([&](std::int64_t i)
                                  __attribute__((always_inline)) { return tile.from_row(i) + 32 * half; },
                              [&](std::int64_t i, const Vector<V>& row)
                                  __attribute__((always_inline)) { store(tile.to_row(half * rows + i), row); });
    });
  } else {
    unroll<V::lanes>([&]<std::int64_t group>() __attribute__((always_inline)) {
      transpose_group<V, size>(
          group,
          [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(tile.from_row(i) + 16 * group); },
          [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) { store(tile.to_row(i), row); });
    });
  }
}

// Destination rows of one cache line, both 32-byte halves at a time, for as many of the `columns` columns as fill whole
// lanes. Returns the number of these.
template <class V, std::int64_t size, bool streaming>
[[gnu::always_inline]] inline std::int64_t transpose_columns(const Tile& tile, std::int64_t columns,
                                                             NextTile next_tile = {}) {
  constexpr std::int64_t lane_elements = 16 / size, rows = 64 / size;
  RowPointers<rows, const std::byte> from(tile.from, tile.from_pitch);
  std::byte* to = tile.to;
  std::int64_t done = 0;
  for (; done + lane_elements <= columns; done += lane_elements) {
    next_tile.prefetch<lane_elements>(tile);
    Vector<V> halves[2][lane_elements];
    unroll<2>([&]<std::int64_t half>() __attribute__((always_inline)) {
      transpose_group<V, size>(
          0, [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(from(half * rows / 2 + i)); },
          [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) { halves[half][i] = row; });
    });
    from.advance(16);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
      put<V, streaming>(to, halves[0][i]);
      put<V, streaming>(to + V::width, halves[1][i]);
      to += tile.to_pitch;
    });
  }
  return done;
}

// An edge tile of `rows` rows and `columns` columns, both at least a lane: in lanes, the last of which may overlap the
// previous one.
template <class V, std::int64_t size, class AnyTile>
[[gnu::noinline]] void transpose_lanes(const AnyTile& given, std::int64_t rows, std::int64_t columns) {
  const AnyTile tile = given;  // a local copy: stores cannot alias it
  constexpr std::int64_t lane_elements = 16 / size;
  const std::int64_t last_row = rows - lane_elements, last_column = columns - lane_elements;
  if (rows == V::width / size) {
    for (std::int64_t b = 0;; b = min(b + lane_elements, last_column)) {
      transpose_group<V, size>(
          0, [&](std::int64_t i) __attribute__((always_inline)) { return load_lane(tile.from_row(i) + b * size); },
          [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) { store(tile.to_row(b + i), row); });
      if (b == last_column) return;
    }
  }
  std::int64_t start[V::lanes];
  for (std::int64_t lane = 0; lane < V::lanes; ++lane) start[lane] = min(lane * lane_elements, last_column);
  for (std::int64_t a = 0;; a = min(a + lane_elements, last_row)) {
    transpose_group<V, size>(
        0,
        [&](std::int64_t i) __attribute__((always_inline)) {
          return load_lane(tile.from_row(a + i % lane_elements) + start[i / lane_elements] * size);
        },
        [&](std::int64_t i, const Vector<V>& row) __attribute__((always_inline)) {
          unroll<V::lanes>([&]<std::int64_t lane>() __attribute__((always_inline)) {
            store_lane<V, lane>(tile.to_row(start[lane] + i) + a * size, row);
          });
        });
    if (a == last_row) return;
  }
}

}  // namespace
}  // namespace dlspec::optimized
