// Properties of the targets whose inputs are texts. Internal to fuzz/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

// Reads the text and, where it is not refused, writes what it says and reads that again: the same, or the process ends.
template <class Result, class Says>
std::optional<Says> read_twice(const char* what, std::string_view text,
                               Result (*read)(std::string_view, const std::string&), std::optional<Says> Result::* says,
                               std::string (*write)(const Says&)) {
  Result first = read(text, "input");
  if (!(first.*says)) {
    if (first.error.empty()) std::abort();
    return std::nullopt;
  }
  const std::string written = write(*(first.*says));
  const Result again = read(written, "written");
  expect_same(what, written, again.*says ? write(*(again.*says)) : again.error);
  return std::move(first.*says);
}

}  // namespace dlspec::fuzz
