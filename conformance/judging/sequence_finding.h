// From a sequence that showed something to a finding: repeated in a fresh worker, shrunk, and compared with dlspec's
// own library, on which it must show nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <dlspec/conformance/judging/fuzz.h>
#include <dlspec/conformance/judging/sequence_attempts.h>
#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {

// Equal for what is taken for one fault: the rule, and the functions that were running, or the kind of step and what
// was observed but for its numbers.
[[nodiscard]] std::string fault_key(const BatchEnd& end, const Sequence& sequence);

// "release (libmine.so), make (libmine.so)": of the lines of BatchEnd::functions the first few, without those of the C
// library that they begin with; "" for none.
[[nodiscard]] std::string functions_text(const std::string& lines);

struct FollowedFinding {
  std::optional<FuzzFinding> finding;
  std::string key;    // of the finding: fault_key
  std::string note;   // why it is none: it did not repeat
  std::string fault;  // dlspec's own library shows the same, or nothing can be judged
};

// `end` is what `sequence` showed after those `before` it in the same worker. What does not repeat without them is
// repeated with them, as one sequence.
[[nodiscard]] FollowedFinding follow_finding(SequenceAttempts& attempts, std::span<const Sequence> before,
                                             const Sequence& sequence, const BatchEnd& end);

}  // namespace dlspec::conformance
