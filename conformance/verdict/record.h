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

// One planned (rule, case) of one subject with its status: a line of the result document.
struct Record {
  std::string subject;  // the text given on the command line
  Role role = Role::producer;
  RuleId rule{};
  std::string case_id;
  Verdict status = Verdict::pass;
  std::string observed;
  std::string allowed;
  std::string reproduce;  // the command that repeats it, starting with "dlspec run"
  std::optional<Verdict> without_baseline;  // the status before a baseline was applied, where that changed it
};

}  // namespace dlspec::conformance
