// Line wrapping for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlspec::conformance {

inline constexpr std::size_t page_width = 100;  // columns

// The words of `text` in lines of at most `width` columns. The first line starts at column `begun`; the others are
// indented by `indent` blanks. A word longer than a line gets its own line. No newline at the end. Counts bytes as
// columns, since the tables are ASCII.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun,
                                  std::size_t width = page_width);

// "  name        text", wrapped after the name, with a newline at the end.
[[nodiscard]] std::string labelled(std::string_view name, std::string_view text);

}  // namespace dlspec::conformance
