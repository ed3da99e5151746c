// What a worker answered for one rule, and the record that is reported for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <dlspec/conformance/plan/case.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

// A worker's answer for one rule of a case, or what the supervisor saw instead of an answer.
struct Outcome {
  enum class Kind : std::uint8_t { pass, broken, unsupported, not_applicable, blocked, info, crash, timeout, skipped };
  Kind kind = Kind::pass;
  std::string observed;
  std::string allowed;
  std::optional<Verdict> verdict;  // for broken: another status than the rule's own
};

// What an exchange brought forth, beside its verdicts: words of the worker, empty where they say nothing.
struct Came {
  std::string tensor;     // "float32 (3,4):(4,1)", as the consumer shows it
  std::string layout;     // kept, changed, unknown
  std::string memory;     // shared, copied, unknown; none for an array without elements
  std::string read_only;  // kept, lost, unknown; "" where it was not asked for
  friend bool operator==(const Came&, const Came&) = default;
};

// One planned (rule, case) of one subject with its status: a line of the result document.
struct Record {
  std::string subject;  // the text given on the command line; "" of an exchange, which has the two below
  Role role = Role::producer;
  RuleId rule{};
  std::string case_id;
  Verdict status = Verdict::pass;
  std::string observed;
  std::string allowed;
  std::string reproduce;                    // the command that repeats it, starting with "dlspec run"
  std::optional<Verdict> without_baseline;  // the status before a baseline was applied, where that changed it
  std::string producer = {};
  std::string consumer = {};
  std::optional<Came> came = {};  // of the case's primary rule only
};

}  // namespace dlspec::conformance
