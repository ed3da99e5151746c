// Small arithmetic of the planner, which takes nothing from the standard library's code.
#pragma once

#include <cstdint>

namespace dlspec::optimized {

// The number is above INT64_MIN.
[[nodiscard]] constexpr std::int64_t magnitude(std::int64_t number) { return number < 0 ? -number : number; }
[[nodiscard]] constexpr std::int64_t lesser(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
[[nodiscard]] constexpr std::int64_t greater(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

}  // namespace dlspec::optimized
