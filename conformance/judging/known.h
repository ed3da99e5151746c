// Exchanges of dlspec's own, whose outcome is known: every worker is asked them before the subject's first case and
// after its last. If one comes out otherwise, then something in the process (the library above all) has changed what
// dlspec sees, and what it found of the subject is not to be trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/verdict/verdict.h>

namespace dlspec::conformance {

struct KnownCase {
  Case work;                     // its `known` is set
  std::optional<RuleId> broken;  // the one rule that has to be found broken; none: it conforms
};

// A conforming and a faulty producer and consumer, as a subject of this kind is asked.
[[nodiscard]] std::vector<KnownCase> known_cases(SubjectKind kind);

// What is otherwise than known, as a sentence part; "" when nothing is.
[[nodiscard]] std::string why_unknown(const KnownCase& known, const Answer& answer);

}  // namespace dlspec::conformance
