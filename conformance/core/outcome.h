// The answer of a worker to one case, or what the supervisor observed instead of an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

// The outcome of one rule of a case.
struct Outcome {
  enum class Kind : std::uint8_t {
    pass,
    violated,
    unsupported,
    not_applicable,
    blocked,
    info,
    crash,
    timeout,
    skipped
  };
  Kind kind = Kind::pass;
  std::string observed;
  std::string allowed;
  std::optional<Verdict> verdict = {};  // for `violated`: the status, where it differs from the one in the rule table
  const Mitigation* mitigation = nullptr;  // the row by which it is judged more mildly; `verdict` gives way to it
  std::optional<RuleId> left_to = {};      // for `blocked`: the rule under which a simpler case reports the deviation
};

// What the worker observed about an exchange, beside the outcomes. Empty strings: not observed.
struct ExchangeObservation {
  std::string tensor;      // "float32 (3,4):(4,1)", as the consumer shows it
  std::string layout;      // kept, changed, unknown
  std::string memory;      // shared, copied, unknown; none for an array without elements
  std::string read_only;   // kept, lost, unknown; "" for a writable array
  std::string by_table{};  // both, consumer: who was asked by the exchange table; "" for neither
  friend bool operator==(const ExchangeObservation&, const ExchangeObservation&) = default;
};

// What a worker tells of the sequences of a case.
struct SequenceReport {
  struct Finding {
    std::size_t index = 0;  // of the sequence
    std::size_t step = 0;   // in it; the number of its steps: at its end
    RuleId rule{};
    Role role = Role::producer;
    std::string observed;
    std::string allowed;
    friend bool operator==(const Finding&, const Finding&) = default;
  };
  // What a sequence showed that none before it in this worker did, as numbers.
  struct Novelty {
    std::size_t index = 0;                    // of the sequence
    std::vector<std::uint64_t> observations;  // a step in its circumstances, with what the library did
    std::vector<std::uint64_t> covered;       // a place in the library's code, with how often it was reached
    friend bool operator==(const Novelty&, const Novelty&) = default;
  };
  std::uint64_t steps = 0;    // carried out
  std::uint64_t refused = 0;  // of them, by the library
  std::optional<Finding> finding;
  std::vector<Novelty> novelties = {};
  std::uint64_t places = 0;  // in the library's code whose coverage is counted
  friend bool operator==(const SequenceReport&, const SequenceReport&) = default;
};

// The answer to one case.
struct Answer {
  enum class Kind : std::uint8_t {
    answered,       // the result is in `outcomes`
    unsupported,    // the library cannot export or import this array; `text`: the reason
    adapter_fault,  // the adapter contradicts itself; `text`: a sentence
    crash,          // the worker died; `text`: how ("killed by SIGSEGV")
    timeout,        // the deadline passed; `text`: which one
    blocked,        // the case did not run; `text`: the reason ("the worker died 3 times under managed.borrow")
    skipped         // the case did not run because of an option or the machine; `text`: the reason
  };
  Kind kind = Kind::answered;
  std::map<RuleId, Outcome> outcomes;
  std::string text;
  std::optional<RuleId> culprit = {};  // for crash and timeout: the rule that the worker named, if it did
  std::optional<ExchangeObservation> observation = {};  // set for an exchange
  std::optional<SequenceReport> sequence = {};          // set for sequences
  std::vector<std::string> table_calls = {};  // functions of an exchange table that the consumer called, in order
  std::vector<std::string> after = {};        // for crash: ids of the cases before it without which it does not happen
};

}  // namespace dlspec::conformance
