// Words that pictures and their legends share. Internal to report/.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

namespace dlspec::conformance {

// A number of bits without its sign: "4 bytes", "12 bits".
inline std::string byte_text(std::int64_t bits) {
  const std::int64_t magnitude = std::abs(bits);
  if (magnitude % 8 != 0) return fmt::format("{} bits", magnitude);
  return magnitude == 8 ? "1 byte" : fmt::format("{} bytes", magnitude / 8);
}

}  // namespace dlspec::conformance
