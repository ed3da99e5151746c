// Transposes with one side of 16 bytes, a single lane, such as four floats between an array of structs and a struct of
// arrays. Lanes leave no vector partly empty and need only short loops.
#pragma once

#include "tiles.h"

namespace dlspec::optimized {
namespace {

// With many interleaved destination rows, the hardware prefetcher does not fetch their cache lines.
constexpr std::int64_t prefetch_write_ahead = 1024;  // bytes

inline void prefetch_to_write(const Plan& plan, const std::byte* to) {
  if (plan.prefetching) __builtin_prefetch(to + prefetch_write_ahead, 1);
}

// Calls at(0), at(step), ... while `step` elements remain, then for the last `step` elements, which may overlap the
// previous ones. For at least `step` elements.
template <std::int64_t step, class At>
[[gnu::always_inline]] inline void for_each_step(std::int64_t elements, const At& at) {
  std::int64_t i = 0;
  for (; i + step <= elements; i += step) at(i);
  if (i < elements) at(elements - step);
}

// `columns` columns of the source become destination rows of 16 bytes: at least a vector of elements.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline void transpose_to_lane_rows(const Plan& plan, const Tile& tile, std::int64_t columns) {
  constexpr std::int64_t lane_elements = 16 / size;
  const std::byte* from[lane_elements];
  unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) { from[i] = tile.from_row(i); });
  for_each_step<V::width / size>(columns, [&](std::int64_t b) __attribute__((always_inline)) {
    Vector<V> part[lane_elements];
    unroll<lane_elements>([&]<std::int64_t i>()
                              __attribute__((always_inline)) { part[i] = load<V>(from[i] + b * size); });
    transpose_in_lanes<V, size>(part);
    std::byte *low = tile.to_row(b), *high = tile.to_row(b + lane_elements);
    prefetch_to_write(plan, low);
    prefetch_to_write(plan, low + 64);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
      store_lane<V, 0>(low, part[i]);
      store_lane<V, 1>(high, part[i]);
      low += tile.to_pitch;
      high += tile.to_pitch;
    });
  });
}

// `rows` source rows of 16 bytes become columns of the destination: at least a vector of elements.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline void transpose_from_lane_rows(const Plan& plan, const Tile& tile, std::int64_t rows) {
  constexpr std::int64_t lane_elements = 16 / size;
  std::byte* to[lane_elements];
  unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) { to[i] = tile.to_row(i); });
  for_each_step<V::width / size>(rows, [&](std::int64_t a) __attribute__((always_inline)) {
    Vector<V> part[lane_elements];
    const std::byte *low = tile.from_row(a), *high = tile.from_row(a + lane_elements);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
      part[i] = V::join_lanes([&](std::int64_t lane) { return load_lane(lane == 0 ? low : high); });
      low += tile.from_pitch;
      high += tile.from_pitch;
    });
    transpose_in_lanes<V, size>(part);
    unroll<lane_elements>([&]<std::int64_t i>() __attribute__((always_inline)) {
      store(to[i] + a * size, part[i]);
      prefetch_to_write(plan, to[i] + a * size);
    });
  });
}

// False if neither side has 16 bytes.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline bool transpose_narrow(const Plan& plan, const Tile& tile, std::int64_t rows,
                                                    std::int64_t columns) {
  if (rows * size == 16 && columns >= V::width / size)
    return transpose_to_lane_rows<V, size>(plan, tile, columns), true;
  if (columns * size == 16 && rows >= V::width / size) return transpose_from_lane_rows<V, size>(plan, tile, rows), true;
  return false;
}

}  // namespace
}  // namespace dlspec::optimized
