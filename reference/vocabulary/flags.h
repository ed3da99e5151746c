// Bits of DLManagedTensorVersioned.flags. Source: dlpack.h, DLPACK_FLAG_BITMASK_*.
//
// The official macros are `unsigned long`. Here they have 64 bits on every platform: the complement of a 32-bit mask
// would clear bits 32 to 63.
#pragma once

#include <cstdint>

#include <dlspec/vocabulary/abi.h>

namespace dlspec::flags {

inline constexpr std::uint64_t read_only = std::uint64_t{1} << 0;       // since 1.0
inline constexpr std::uint64_t is_copied = std::uint64_t{1} << 1;       // since 1.0
inline constexpr std::uint64_t subbyte_padded = std::uint64_t{1} << 2;  // since 1.1

struct FlagRow {
  std::uint64_t bit;
  const char* name;        // as dlpack.h spells it
  const char* short_name;  // as the one-line text form spells it
  abi::Version since;
};

inline constexpr FlagRow table[] = {
    {read_only, "DLPACK_FLAG_BITMASK_READ_ONLY", "ro", {1, 0}},
    {is_copied, "DLPACK_FLAG_BITMASK_IS_COPIED", "copied", {1, 0}},
    {subbyte_padded, "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED", "padded", {1, 1}},
};

// All bits that the newest release defines.
inline constexpr std::uint64_t defined = read_only | is_copied | subbyte_padded;

}  // namespace dlspec::flags
