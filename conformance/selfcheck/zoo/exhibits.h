// The table of faulty subjects and their twins, and what each of them is asked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/rule_facts.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// A row of exhibits.def.
struct ExhibitRow {
  RuleId rule;
  Role role;
  const char* name;  // of the faulty subject
  const char* twin;  // of the clean one
};
[[nodiscard]] std::span<const ExhibitRow> exhibits();

// A rule that an exhibit may be found to break beside its own.
struct ExhibitMask {
  const char* name;
  RuleId rule;
  const char* reason;
};
[[nodiscard]] std::span<const ExhibitMask> exhibit_masks();

// What a subject of the zoo is asked: of the whole plan of its role, each variant with each dtype in the layout `c`
// and each layout with float32, where the variant has them, and of the paths a sixth. Every variant, dtype, layout and
// level of a path takes part. With a device: what --device adds.
[[nodiscard]] std::vector<Case> sample_plan(SubjectKind kind, Role role, bool has_device = false);

// Whether a case of the sample is among those that this subject is asked at first: all but four fifths of the paths and
// of the lengthy cases, other ones for each subject, so that together they are asked all of them.
[[nodiscard]] bool is_asked_first(const Case& work, std::string_view subject);

// Rules with an exhibit: by name here, or as a row of the table of faulty structs. In rule order.
[[nodiscard]] std::vector<RuleId> shown_rules();
[[nodiscard]] bool is_shown(RuleId rule);

// What breaks the rule on purpose.
[[nodiscard]] std::vector<ShownFault> shown_faults(RuleId rule);

// All that reports and pages say of a rule beside the rule table.
[[nodiscard]] RuleEvidence evidence_of(const Rule& rule);

}  // namespace dlspec::conformance
