// Commands as a shell takes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlspec::conformance {

// Splits as a shell does: at blanks, with single and double quotes and with backslashes; nothing is expanded.
// Nothing when a quote is left open or the text ends in a backslash.
[[nodiscard]] std::optional<std::vector<std::string>> split_words(const std::string& text);

// `word` as a shell takes it back.
[[nodiscard]] std::string shell_quoted(const std::string& word);

}  // namespace dlspec::conformance
