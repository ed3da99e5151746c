// Sanitising of untrusted text for reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlspec::conformance {

// Maximum size in bytes of an observed, allowed or reproduce text; longer texts are cut and marked.
inline constexpr std::size_t longest_text = 4096;

// `text` as valid UTF-8 (U+FFFD replaces invalid bytes), with control characters escaped ("\x00"), cut to at most
// `longest` bytes. Idempotent.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t longest = longest_text);

}  // namespace dlspec::conformance
