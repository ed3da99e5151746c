// The text of `dlspec rules`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dlspec/conformance/report/rule_facts.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// One line per rule that matches the glob: id, level, side, versions, check state, title. "" when none matches; the
// caller reports wrong usage.
[[nodiscard]] std::string rules_list(std::string_view glob, bool color = false);

// All facts about a rule: requirement, source, versions, preconditions, check method and variants, reported findings,
// open questions, known deviations.
[[nodiscard]] std::string explain_rule(const Rule& rule, const RuleEvidence& evidence, bool color = false);

// Number of rules, of checked rules and of rules that the zoo tests, by group; then the unchecked rules by reason.
// `tested` must be in rule order.
[[nodiscard]] std::string rules_coverage(std::span<const RuleId> tested);

// "every version", "DLPack 1.2 and later", "DLPack 0.3 to 1.1", "structs without a version", "array API 2023.12 and
// later", "capsules".
[[nodiscard]] std::string interval_text(const Interval& interval);

// "checked", "not yet", "never".
[[nodiscard]] const char* coverage_name(Coverage coverage);

// "MUST", "MUST (implied by tensor.element-address)", "SHOULD", "MAY", "convention".
[[nodiscard]] std::string level_text(const Rule& rule);

}  // namespace dlspec::conformance
