// What a worker answered for one case, or what the supervisor saw instead of an answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

// Of one rule of a case.
struct Outcome {
  enum class Kind : std::uint8_t { pass, broken, unsupported, not_applicable, blocked, info, crash, timeout, skipped };
  Kind kind = Kind::pass;
  std::string observed;
  std::string allowed;
  std::optional<Verdict> verdict;  // for broken: another status than the rule's own
};

// What an exchange was seen to do, beside its verdicts: words of the worker, empty where they say nothing.
struct ExchangeObservation {
  std::string tensor;     // "float32 (3,4):(4,1)", as the consumer shows it
  std::string layout;     // kept, changed, unknown
  std::string memory;     // shared, copied, unknown; none for an array without elements
  std::string read_only;  // kept, lost, unknown; "" where it was not asked for
  friend bool operator==(const ExchangeObservation&, const ExchangeObservation&) = default;
};

// Of one case.
struct Answer {
  enum class Kind : std::uint8_t {
    answered,       // `outcomes` says what
    unsupported,    // the library cannot make or take this at all; `text`: the reason
    adapter_fault,  // the adapter contradicts itself; `text`: a sentence
    crash,          // the worker died; `text`: how ("killed by SIGSEGV")
    timeout,        // the deadline passed; `text`: which
    blocked,        // was not run; `text`: why ("the worker died 3 times under managed.borrow")
    skipped         // was not run by the user's will; `text`: why
  };
  Kind kind = Kind::answered;
  std::map<RuleId, Outcome> outcomes;
  std::string text;
  std::optional<RuleId> culprit = {};  // of a death: the rule that it breaks, where the worker could say
  std::optional<ExchangeObservation> observation = {};  // of an exchange
};

}  // namespace dlspec::conformance
