// Splitting and quoting of POSIX shell words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlspec::conformance {

// Splits at blanks and handles single quotes, double quotes and backslashes as a shell does, without expansion. nullopt
// when a quote is unclosed or the text ends in a backslash.
[[nodiscard]] std::optional<std::vector<std::string>> split_words(const std::string& text);

// The same words as they are written, with their quotes and backslashes; the last one may be unclosed.
[[nodiscard]] std::vector<std::string> written_words(const std::string& text);

// `word`, quoted so that a shell reads it back unchanged.
[[nodiscard]] std::string shell_quoted(const std::string& word);

}  // namespace dlspec::conformance
