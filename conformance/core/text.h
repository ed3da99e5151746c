// Text from outside made fit for a report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlspec::conformance {

// Longest observed, allowed or reproduce text that is written, in bytes; more is cut and marked.
inline constexpr std::size_t longest_text = 4096;

// `text` made fit for a report: valid UTF-8 (U+FFFD for what is not), control characters spelled out
// ("\x00"), at most `longest` bytes.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t longest = longest_text);

}  // namespace dlspec::conformance
