// 128-bit integers, for exact arithmetic.
//
// They hold the reach of every layout whose number of elements fits int64: for extents of at least 1 the product
// exceeds the sum of (extent - 1), so the sum of |(extent - 1) * stride| stays below 2^63 * 2^63 = 2^126. Without this
// bound three axes can overflow them: check the number of elements first (count_elements).
#pragma once

#include <cstdint>
#include <limits>

namespace dlspec::optimized {

__extension__ typedef __int128 Wide;

inline constexpr Wide largest_int64 = std::numeric_limits<std::int64_t>::max();
inline constexpr Wide largest_uint64 = std::numeric_limits<std::uint64_t>::max();

// Bits to whole bytes, rounded towards minus and plus infinity.
[[nodiscard]] constexpr Wide floor_bytes(Wide bits) { return bits >> 3; }
[[nodiscard]] constexpr Wide ceil_bytes(Wide bits) { return (bits + 7) >> 3; }

}  // namespace dlspec::optimized
