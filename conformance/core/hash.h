// FNV-1a of 64 bits: the same on every machine and in every release. It tells versions apart and is no safeguard.
#pragma once

#include <cstdint>
#include <string_view>

namespace dlspec::conformance {

inline constexpr std::uint64_t fnv_offset_basis = 0xcbf29ce484222325;

// The hash of what came before, if anything did, and of these bytes.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = fnv_offset_basis) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
  return hash;
}

}  // namespace dlspec::conformance
