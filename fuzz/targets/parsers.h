// Properties of the targets whose inputs are texts. Internal to fuzz/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace dlspec::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process when a text that was written is not read back as the same.
inline void expect_same(const char* what, const std::string& written, const std::string& again) {
  if (written == again) return;
  std::fprintf(stderr, "%s: written as\n%s\nand, read back, as\n%s\n", what, written.c_str(), again.c_str());
  std::abort();
}

}  // namespace dlspec::fuzz
