// The rule catalogue as text: what `dlspec rules` prints.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dlspec/conformance/report/rule_facts.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// One line for each rule that matches the glob: id, level, side, versions, check state, title. Empty
// when none matches (wrong usage: the caller says so).
[[nodiscard]] std::string rules_list(std::string_view glob, bool color = false);

// Everything about one rule: requirement, source, versions, what must hold before, how it is checked and in which
// variants, what is reported, which questions are open about it, and who is known to deviate.
[[nodiscard]] std::string explain_rule(const Rule& rule, const RuleEvidence& evidence, bool color = false);

// How many rules there are, how many are checked, and how many of these the zoo tests, by group; then the rules that
// are not, by reason.
// `tested`: in rule order.
[[nodiscard]] std::string rules_coverage(std::span<const RuleId> tested);

// "every version", "DLPack 1.2 and later", "DLPack 0.3 to 1.1", "structs without a version", "array API 2023.12 and
// later", "capsules".
[[nodiscard]] std::string interval_text(const Interval& interval);

// "checked", "not yet", "never".
[[nodiscard]] const char* coverage_name(Coverage coverage);

// "MUST", "MUST (implied by tensor.element-address)", "SHOULD", "MAY", "convention".
[[nodiscard]] std::string level_text(const Rule& rule);

}  // namespace dlspec::conformance
