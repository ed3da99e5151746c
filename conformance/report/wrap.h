// Line wrapping for the terminal. A column is a character: bytes that continue one in UTF-8 take none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

inline constexpr std::size_t page_width = 100;  // columns of the texts of `dlspec rules`

[[nodiscard]] std::size_t columns(std::string_view text);

// `text` in at most `width` columns: what does not fit gives way to "...".
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

// The words of `text` in lines of at most `width` columns. A word that is longer than a line gets a line of its own.
// Empty for a text without words. Any blank or line break parts words.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, std::size_t width);

// The same in at most `most` lines; the last of them is cut where there are more.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, std::size_t width, std::size_t most);

// A command in lines of at most `width` columns, each but the last with a backslash at its end, so that a shell reads
// the same words from them. An option keeps its value where both fit. A word is never broken: one that is longer than a
// line gets a line of its own.
[[nodiscard]] std::vector<std::string> lines_of_command(const std::string& command, std::size_t width);

// The words of `text` in lines of at most `width` columns. The first line starts at column `begun`; the others are
// indented by `indent` blanks. A word longer than a line gets its own line. No newline at the end.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun,
                                  std::size_t width = page_width);

// "  name        text", wrapped after the name, with a newline at the end.
[[nodiscard]] std::string labelled(std::string_view name, std::string_view text);

}  // namespace dlspec::conformance
