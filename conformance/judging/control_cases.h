// Control cases: cases of dlspec's own library with a fixed outcome. Every worker runs them before the first and after
// the last case of the subject. Another outcome means that something in the process, most likely the library under
// test, interferes with dlspec's checks; then the results of the subject cannot be trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/verdict/verdict.h>

namespace dlspec::conformance {

struct ControlCase {
  Case work;                       // its `control` is set
  std::optional<RuleId> violated;  // the only rule that the case must violate; none: it must conform
};

// A conforming and a faulty producer and consumer, in the variants for this kind of subject.
[[nodiscard]] std::vector<ControlCase> control_cases(SubjectKind kind);

// Describes how the answer differs from the fixed outcome, as a sentence part; "" when it does not.
[[nodiscard]] std::string control_mismatch(const ControlCase& control, const Answer& answer);

}  // namespace dlspec::conformance
