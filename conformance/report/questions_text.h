// The questions that the standard leaves open, as text: what `dlspec rules --questions` prints.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Each question whose id, or one of whose rules, matches the glob: question, texts, decision, practice, rules. Empty
// when there is none (wrong usage: the caller says so).
[[nodiscard]] std::string questions_list(std::string_view glob, bool color = false);

}  // namespace dlspec::conformance
