// Values at which tensor code fails: the edges of every field of a struct. Exhaustive tests combine them, random tests
// prefer them, fuzz inputs select from them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <dlspec/vocabulary/abi.h>

namespace dlspec::testing {

namespace limits {
inline constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t two_to_31 = std::int64_t{1} << 31;
inline constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
inline constexpr std::int64_t two_to_62 = std::int64_t{1} << 62;
}  // namespace limits

// Numbers at the limits of 64-bit arithmetic.
inline constexpr std::int64_t extreme_numbers[] = {
    0,
    1,
    -1,
    2,
    -2,
    // 32-bit signed and unsigned counters
    limits::two_to_31 - 1,
    limits::two_to_31,
    limits::two_to_31 + 1,
    -limits::two_to_31,
    -limits::two_to_31 - 1,
    limits::two_to_32 - 1,
    limits::two_to_32,
    limits::two_to_32 + 1,
    -limits::two_to_32,
    // the square root of 2^63 on both sides: a product of two just fits, or just does not
    3037000499,
    3037000500,
    -3037000500,
    // one doubling away from the limits
    limits::two_to_62 - 1,
    limits::two_to_62,
    limits::two_to_62 + 1,
    -limits::two_to_62,
    -limits::two_to_62 - 1,
    // the limits in bytes of 8-byte elements
    limits::most / 8,
    limits::most / 8 + 1,
    limits::least / 8,
    limits::least / 8 - 1,
    limits::most - 1,
    limits::most,
    limits::least + 1,
    limits::least,
};

// Extents: 0, 1, few, and those at which a product or a counter overflows; negative ones are errors.
inline constexpr std::int64_t extents[] = {
    0,
    1,
    2,
    3,
    5,
    255,
    256,
    65535,
    65536,
    limits::two_to_31 - 1,
    limits::two_to_31,
    limits::two_to_32,
    3037000499,
    3037000500,
    limits::two_to_62,
    limits::most / 8,
    limits::most / 8 + 1,
    limits::most,
    -1,
    -2,
    -limits::two_to_31,
    limits::least,
};

// Strides: broadcast, compact, with gaps and reversed, and those that leave the address space.
inline constexpr std::int64_t strides[] = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    4,
    5,
    -5,
    12,
    255,
    -256,
    limits::two_to_31 - 1,
    limits::two_to_31,
    -limits::two_to_31,
    limits::two_to_32,
    -limits::two_to_32,
    limits::two_to_62,
    -limits::two_to_62,
    limits::most / 8,
    limits::most / 8 + 1,
    limits::least / 8,
    limits::most,
    limits::least + 1,
    limits::least,
};

// Ranks: scalars, usual ones, the limits of NumPy (32, then 64) and of dlspec (64), and invalid ones.
inline constexpr std::int32_t ranks[] = {
    0,
    1,
    2,
    3,
    4,
    5,
    8,
    31,
    32,
    33,
    63,
    64,
    65,
    255,
    256,
    -1,
    -2,
    -64,
    std::numeric_limits<std::int32_t>::max(),
    std::numeric_limits<std::int32_t>::min(),
};

// Versions on both sides of every bound: major 0 and 2 around the only published one, each release, one newer than
// newest_version, and the maxima.
inline constexpr abi::Version versions[] = {
    {1, 0}, {1, 1},          {1, 2}, {1, 3}, {1, 4},   {1, 255},        {1, 0xFFFFFFFF},          {0, 0},
    {0, 8}, {0, 0xFFFFFFFF}, {2, 0}, {2, 3}, {256, 1}, {0xFFFFFFFF, 0}, {0xFFFFFFFF, 0xFFFFFFFF},
};

// Flags: every combination of the defined bits, the first undefined one, the first that a 32-bit mask clears, the sign
// bit, all.
inline constexpr std::uint64_t flag_values[] = {
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    15,
    std::uint64_t{1} << 31,
    std::uint64_t{1} << 32,
    std::uint64_t{1} << 63,
    ~std::uint64_t{7},
    ~std::uint64_t{0},
};

// Byte offsets: 0, within an element, an element, an alignment, a page, and beyond the address space.
inline constexpr std::uint64_t byte_offsets[] = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    16,
    63,
    64,
    255,
    256,
    4096,
    std::uint64_t{1} << 31,
    std::uint64_t{1} << 32,
    std::uint64_t{1} << 62,
    (std::uint64_t{1} << 63) - 1,
    std::uint64_t{1} << 63,
    ~std::uint64_t{0} - 255,
    ~std::uint64_t{0},
};

// The widths in use for this code: of floats the four basic ones, of integers and handles the powers of two up to 128,
// else all that dlpack.h allows.
// Empty for an undefined code.
[[nodiscard]] std::span<const std::uint8_t> usual_widths(std::uint8_t code);

// Widths at the bounds: 0, below a byte, a byte, not whole bytes, the maximum.
inline constexpr std::uint8_t odd_widths[] = {0, 1, 3, 5, 7, 9, 12, 20, 24, 33, 80, 96, 136, 160, 192, 224, 255};

// Lanes: 0, a scalar, usual vectors, one more than a byte counts, the maximum.
inline constexpr std::uint16_t lane_counts[] = {0, 1, 2, 3, 4, 8, 16, 256, 65535};

// Dtypes without any finding under a version that defines them: every released code except the opaque handle, in each
// width in use, with one lane.
[[nodiscard]] std::span<const abi::DataType> conforming_dtypes();

// Every code from 0 to one past the last defined, and 255, in usual and odd widths, with every
// count of lanes.
[[nodiscard]] std::span<const abi::DataType> all_dtypes();

// Every device type, the unassigned ones between them, the neighbours of both ends, and values whose low byte is a
// device type; each with ids 0, 1, -1 and the maximum.
[[nodiscard]] std::span<const abi::Device> all_devices();

}  // namespace dlspec::testing
