// The facts about a rule, for `dlspec rules ID` and the pages of the documentation.
#pragma once

#include <string>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// A faulty subject of the zoo, "producer.LeakyArray (producer)" or "float32 (3):(1) @cpu v1.3, but flags = 8", and its
// conforming twin, which differs in one point.
struct ShownFault {
  std::string faulty;
  std::string twin;
};

// Facts about a rule that are not in the rule table.
struct RuleEvidence {
  std::vector<ShownFault> faults;      // test subjects that violate it on purpose
  std::vector<std::string> deviating;  // known deviations of libraries, a line each
};

struct Fact {
  const char* name;  // "level"
  std::string text;
};

// Level, bound side, versions, source, status of a violation, preconditions, check method or the reason for having
// none, variants that test it, a faulty subject of the zoo, first release. Leaves out facts without a text.
[[nodiscard]] std::vector<Fact> facts_of(const Rule& rule, const RuleEvidence& evidence);

// When a violation is judged more mildly than the level of the rule, and why: "warn where the tensor's major version is
// 0: ...".
[[nodiscard]] std::vector<std::string> mitigations_of(const Rule& rule);

// For a rule that the bytes of a struct decide, the report of each possible violation, with letters in place of
// numbers: "fail: shape[i] = N; allowed: an extent of at least 0".
[[nodiscard]] std::vector<std::string> reports_of(const Rule& rule);

}  // namespace dlspec::conformance
