// Sanitising of untrusted text for reports, and parts of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Maximum size in bytes of an observed, allowed or reproduce text; longer texts are cut and marked.
inline constexpr std::size_t longest_text = 4096;

// `text` as valid UTF-8 (U+FFFD replaces invalid bytes), with control characters escaped ("\x00"), cut to at most
// `longest` bytes. Idempotent.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t longest = longest_text);

// JSON whose texts are valid UTF-8: U+FFFD in the place of invalid bytes and of escapes that name half of a surrogate
// pair ("\ud800"). Any text stays itself where it is valid.
[[nodiscard]] std::string with_valid_text(std::string_view json);

// The parts between separators; none after a separator at the end.
[[nodiscard]] std::vector<std::string> split_at(const std::string& text, char separator);

}  // namespace dlspec::conformance
