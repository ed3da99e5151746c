// Text set in lines for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlspec::conformance {

inline constexpr std::size_t page_width = 100;  // columns

// The words of `text` in lines of at most `width` columns, each but the first behind `indent` blanks; the first begins
// at column `begun`. A word that is longer than a line stands alone. No newline at the end. Columns are bytes: the
// tables are written in ASCII.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun,
                                  std::size_t width = page_width);

// "  name        text", wrapped behind the name, with a newline at the end.
[[nodiscard]] std::string labelled(std::string_view name, std::string_view text);

}  // namespace dlspec::conformance
