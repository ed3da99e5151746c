// The text of `dlspec rules --questions`: questions that the standard leaves open.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Every question whose id or one of whose rules matches the glob: question, texts, decision, practice, rules. "" when
// none matches; the caller reports wrong usage.
[[nodiscard]] std::string questions_list(std::string_view glob, bool color = false);

}  // namespace dlspec::conformance
