// A command given as one option, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlspec::command {

// Splits as a shell does: at blanks, with single and double quotes and with backslashes; nothing is expanded.
// Nothing when a quote is left open or the text ends in a backslash.
[[nodiscard]] std::optional<std::vector<std::string>> split_words(const std::string& text);

}  // namespace dlspec::command
