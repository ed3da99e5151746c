// From the findings on one exported struct to an outcome for every rule that can be read off it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::conformance {

// What a finding means for its rule: violated, with the finding's own verdict where that is not the
// rule's. Numbers and addresses are rendered so that two equal runs give equal texts.
[[nodiscard]] Outcome outcome_of(const Finding& finding);

// The outcome of one struct rule: violated when there is a finding; blocked when a rule that it needs
// (rules.def, `needs`) was violated; not-applicable when the struct or the origin gives nothing to
// judge (no version in a legacy struct, another type code, no Origin); else pass.
[[nodiscard]] Outcome struct_outcome(RuleId rule, const Exported& exported, const Origin* origin,
                                     const Findings& findings);

// True when no finding makes it unsafe or pointless to read the elements.
[[nodiscard]] bool contents_readable(const Findings& findings);

}  // namespace dlspec::conformance
