// How the heap grows while the same is done over and over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <dlspec/conformance/platform/heap.h>

namespace dlspec::conformance {

inline constexpr std::size_t smallest_block = 16;  // bytes that any allocation takes

// By how many bytes the heap grows with each call of act(); 0 where it does not grow steadily.
template <class Act>
[[nodiscard]] std::size_t growth_of(std::size_t cycles, Act act) {
  std::size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const std::size_t before = heap_bytes();
    for (std::size_t i = 0; i < cycles; ++i) act();
    const std::size_t after = heap_bytes();
    if (batch >= 0) least = std::min(least, after > before ? (after - before) / cycles : 0);
  }
  return least >= smallest_block ? least : 0;
}

}  // namespace dlspec::conformance
