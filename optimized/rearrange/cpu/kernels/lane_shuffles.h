// Byte shuffles within 128-bit lanes. Vector by vector of a tile, each for many tiles, so that its shuffle controls
// stay in registers.
#pragma once

#include "narrow.h"

namespace dlspec::optimized {
namespace {

template <class V>
inline Vector<V> load_control(const std::uint8_t* control) {
  return load<V>(reinterpret_cast<const std::byte*>(control));
}

// One step: loads each lane from its own offset and shuffles the bytes.
template <class V>
[[gnu::always_inline]] inline Vector<V> shuffled(const std::byte* from, const std::int64_t* offset,
                                                 const Vector<V>& control) {
  const auto load_one = [&](std::int64_t lane)
                            __attribute__((always_inline)) { return load_lane(from + offset[lane]); };
  return V::shuffle_bytes(V::join_lanes(load_one), control);
}

template <class V>
inline void store_lanes(std::byte* to, const std::int64_t* offset, const Vector<V>& vector) {
  unroll<V::lanes>([&]<std::int64_t lane>() { store_lane<V, lane>(to + offset[lane], vector); });
}

// Full tiles, row by row, and whether a tail tile follows them.
struct TileRange {
  std::byte* to;
  const std::byte* from;
  std::int64_t a;
  std::int64_t b;
  bool has_tail;
};

// Vectors `v` to `v` + `count` - 1 of all these tiles, of `steps` steps each. `split`: their two lanes are not
// adjacent.
template <class V, std::int64_t steps, std::int64_t count, bool split>
void shuffle_tiles(const Plan& plan, std::size_t v, const TileRange& tiles) {
  const LaneShuffle& shuffle = plan.lane_shuffle;
  const std::size_t first = shuffle.first[v];
  Vector<V> control[count][steps];
  std::int64_t from_offset[count][steps][V::lanes], to_offset[count][V::lanes];
  unroll<count>([&]<std::int64_t i>() __attribute__((always_inline)) {
    unroll<steps>([&]<std::int64_t s>() __attribute__((always_inline)) {
      const std::size_t step = first + i * steps + s;
      control[i][s] = load_control<V>(shuffle.control[step]);
      __builtin_memcpy(from_offset[i][s], shuffle.from[step], sizeof from_offset[i][s]);
    });
    __builtin_memcpy(to_offset[i], shuffle.to[v + i], sizeof to_offset[i]);
  });
  const auto one = [&](std::byte* to, const std::byte* from) __attribute__((always_inline)) {
    unroll<count>([&]<std::int64_t i>() __attribute__((always_inline)) {
      Vector<V> bytes{};
      unroll<steps>([&]<std::int64_t s>() __attribute__((always_inline)) {
        bytes |= shuffled<V>(from, from_offset[i][s], control[i][s]);
      });
      if constexpr (split) {
        store_lanes<V>(to, to_offset[i], bytes);
      } else {
        store(to + to_offset[i][0], bytes);
        prefetch_to_write(plan, to + to_offset[i][0]);
      }
    });
  };
  for (std::int64_t j = 0; j < tiles.b; ++j) {
    std::byte* to = tiles.to + j * plan.b.to;
    const std::byte* from = tiles.from + j * plan.b.from;
    for (std::int64_t i = 0; i < tiles.a; ++i, to += plan.a.to, from += plan.a.from) one(to, from);
    if (tiles.has_tail) one(to - plan.a.to + shuffle.tail_to, from - plan.a.from + shuffle.tail_from);
  }
}

constexpr std::int64_t max_control_registers = 12;  // of the 16 vector registers; the shuffles need the others
constexpr std::int64_t max_vectors_together = 4;

// NULL if the controls exceed the registers.
using ShuffleTiles = void (*)(const Plan&, std::size_t, const TileRange&);
template <class V, std::int64_t steps, std::int64_t count, bool split>
constexpr ShuffleTiles shuffle_tiles_for() {
  if constexpr (count == 1 || steps * count <= max_control_registers) return shuffle_tiles<V, steps, count, split>;
  return nullptr;
}
struct KernelsByCount {
  ShuffleTiles of[max_vectors_together];
};
template <class V, std::int64_t steps, bool split>
constexpr KernelsByCount by_count = {{shuffle_tiles_for<V, steps, 1, split>(), shuffle_tiles_for<V, steps, 2, split>(),
                                      shuffle_tiles_for<V, steps, 3, split>(),
                                      shuffle_tiles_for<V, steps, 4, split>()}};
template <class V, bool split>
constexpr KernelsByCount by_steps[max_steps_per_vector] = {
    by_count<V, 1, split>, by_count<V, 2, split>, by_count<V, 3, split>, by_count<V, 4, split>,
    by_count<V, 5, split>, by_count<V, 6, split>, by_count<V, 7, split>, by_count<V, 8, split>};

template <class V>
inline void shuffle_range(const Plan& plan, const TileRange& tiles) {
  const LaneShuffle& shuffle = plan.lane_shuffle;
  const auto steps = [&](std::size_t v) { return shuffle.first[v + 1] - shuffle.first[v]; };
  const auto split = [&](std::size_t v) { return shuffle.to[v][V::lanes - 1] != shuffle.to[v][0] + V::width - 16; };
  for (std::size_t v = 0, count = 0; v < shuffle.vectors; v += count) {
    const ShuffleTiles* const kernels = (split(v) ? by_steps<V, true> : by_steps<V, false>)[steps(v) - 1].of;
    count = 1;
    while (count < max_vectors_together && kernels[count] != nullptr && v + count < shuffle.vectors &&
           steps(v + count) == steps(v) && split(v + count) == split(v)) {
      ++count;
    }
    kernels[count - 1](plan, v, tiles);
  }
}

// Bytes of the destination that stay in L1, together with their source, from one vector to the next.
constexpr std::int64_t l1_shuffle_bytes = 8192;

template <class V>
void lane_shuffle(const Plan& plan, const Block& block) noexcept {
  const std::int64_t tile_bytes = static_cast<std::int64_t>(plan.lane_shuffle.vectors) * V::width;
  const std::int64_t tiles = min(block.a, 1 + l1_shuffle_bytes / tile_bytes);
  const std::int64_t rows = tiles < block.a ? 1 : 1 + l1_shuffle_bytes / (tiles * tile_bytes);
  const bool has_tail = plan.lane_shuffle.tail_to != 0 && block.a_begin + block.a == plan.a.extent;
  for (std::int64_t j = 0; j < block.b; j += rows) {
    for (std::int64_t i = 0; i < block.a; i += tiles) {
      const std::int64_t now = min(tiles, block.a - i);
      shuffle_range<V>(plan, {block.to + j * plan.b.to + i * plan.a.to, block.from + j * plan.b.from + i * plan.a.from,
                              now, min(rows, block.b - j), has_tail && i + now == block.a});
    }
  }
}

// The only tile of a lane shuffle.
template <class V>
void lane_shuffle_single(const Plan& plan, const Block& block) noexcept {
  const LaneShuffle& shuffle = plan.lane_shuffle;
  std::size_t step = 0;
  for (std::size_t v = 0; v < shuffle.vectors; ++v) {
    Vector<V> bytes{};
    for (const std::size_t end = shuffle.first[v + 1]; step < end; ++step) {
      bytes |= shuffled<V>(block.from, shuffle.from[step], load_control<V>(shuffle.control[step]));
    }
    store_lanes<V>(block.to, shuffle.to[v], bytes);
  }
}

}  // namespace
}  // namespace dlspec::optimized
