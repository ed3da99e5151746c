// Boundary values of arithmetic and tables.
#pragma once

#include <cstdint>

namespace dlspec::optimized::testing {

inline constexpr std::int64_t extreme_extents[] = {
    0,         1,  2,        3, 64, std::int64_t{1} << 31, std::int64_t{1} << 32, std::int64_t{1} << 62, INT64_MAX - 1,
    INT64_MAX, -1, INT64_MIN};

inline constexpr std::int64_t extreme_strides[] = {0,
                                                   1,
                                                   -1,
                                                   2,
                                                   -3,
                                                   std::int64_t{1} << 31,
                                                   std::int64_t{1} << 61,
                                                   -(std::int64_t{1} << 61),
                                                   INT64_MAX / 2,
                                                   INT64_MAX,
                                                   -INT64_MAX,
                                                   INT64_MIN};

// Addresses: NULL, the first page and its end, odd and aligned, both halves, the very end.
inline constexpr std::uint64_t extreme_addresses[] = {0,
                                                      1,
                                                      255,
                                                      4095,
                                                      4096,
                                                      std::uint64_t{1} << 40,
                                                      (std::uint64_t{1} << 40) + 64,
                                                      std::uint64_t{1} << 63,
                                                      UINT64_MAX - 4096,
                                                      UINT64_MAX - 31,
                                                      UINT64_MAX - 7,
                                                      UINT64_MAX};

inline constexpr std::uint64_t extreme_offsets[] = {
    0, 1, 8, 31, 32, 4096, std::uint64_t{1} << 40, std::uint64_t{1} << 63, UINT64_MAX - 32, UINT64_MAX - 8, UINT64_MAX};

inline constexpr std::int32_t extreme_device_ids[] = {0, 1, 7, INT32_MAX, -1, INT32_MIN};

inline constexpr std::uint16_t extreme_lanes[] = {0, 1, 2, 4, 255, 65535};

inline constexpr std::uint32_t extreme_versions[] = {0, 1, 2, 3, 4, 255, UINT32_MAX};

}  // namespace dlspec::optimized::testing
