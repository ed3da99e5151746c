// Values that no DLPack release defines, upstream's unreleased main included: dlspec offers them to see whether a
// consumer takes what it cannot know.
#pragma once

#include <cstdint>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {

inline constexpr std::uint8_t unknown_dtype_code = 200;
inline constexpr std::int32_t unknown_device_type = 99;
inline constexpr std::uint64_t unknown_flags = std::uint64_t{1} << 63 | std::uint64_t{1} << 31 |
                                               std::uint64_t{1} << 3;      // the ends of both words, the next free one
inline constexpr abi::Version newer_minor{abi::newest_version.major, 99};  // may define what is unknown here

static_assert(find_dtype_code(unknown_dtype_code) == nullptr);
static_assert(find_device(unknown_device_type) == nullptr);
static_assert((unknown_flags & flags::defined) == 0);
static_assert(newer_minor > abi::newest_version);

}  // namespace dlspec::conformance
