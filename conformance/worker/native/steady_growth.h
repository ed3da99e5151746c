// How the heap grows while the same is done over and over.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <dlspec/conformance/platform/heap.h>
#include <dlspec/conformance/worker/native/patience.h>

namespace dlspec::conformance {

inline constexpr std::size_t smallest_block = 16;  // bytes that any allocation takes

inline std::atomic<int> missed_frees{0};  // heaps that had not shrunk again

// By how many bytes the heap has grown for each of so many; what is less than `block` counts as 0. Waits a moment for
// what threads of the library release.
[[nodiscard]] inline std::size_t growth_since(std::size_t before, std::size_t count, std::size_t block) {
  const auto grown = [&] {
    const std::size_t now = heap_bytes();
    return now > before ? (now - before) / count : 0;
  };
  return happens_soon([&] { return grown() < block; }, missed_frees) ? 0 : grown();
}

inline constexpr std::size_t fewest_items = 128;  // of a batch that takes longer than a fifth of a second

// Calls act() so often, or less often where that takes long: a library may do everything on a slow thread. The number.
template <class Act>
std::size_t carried_out(std::size_t cycles, std::size_t items, Act act) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  std::size_t done = 0;
  while (done < cycles && (done * items < fewest_items || std::chrono::steady_clock::now() < until)) act(), ++done;
  return done;
}

// By how many bytes the heap grows with each of the `items` that a call of act() makes; 0 where it does not grow
// steadily: a library may fill its caches.
template <class Act>
[[nodiscard]] std::size_t growth_of(std::size_t cycles, Act act, std::size_t items = 1,
                                    std::size_t block = smallest_block) {
  std::size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const std::size_t before = heap_bytes();
    const std::size_t done = carried_out(cycles, items, act);
    if (batch >= 0) least = std::min(least, growth_since(before, done * items, block));
  }
  return least;
}

}  // namespace dlspec::conformance
