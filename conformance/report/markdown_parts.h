// Text for Markdown. Internal to this room.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Text that means itself, on one line.
[[nodiscard]] std::string markdown_text(std::string_view text);
// The same as code.
[[nodiscard]] std::string markdown_code(std::string_view text);

}  // namespace dlspec::conformance
