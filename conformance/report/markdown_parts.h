// Escaping for Markdown. Internal to report/.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Escaped text on one line.
[[nodiscard]] std::string markdown_text(std::string_view text);
// An inline code span.
[[nodiscard]] std::string markdown_code(std::string_view text);

}  // namespace dlspec::conformance
