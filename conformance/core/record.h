// One line of the result document.
#pragma once

#include <optional>
#include <string>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

// One planned (rule, case) of one subject with its status.
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
  std::optional<ExchangeObservation> observation = {};  // of the case's primary rule only
};

// "dlspec run SUBJECT --case ID --rules RULE", quoted for a shell where that is needed. Callers append
// options that the run was given and that matter (--python, --seed).
[[nodiscard]] std::string reproduce_command(const std::string& subject, const std::string& case_id, RuleId rule);

}  // namespace dlspec::conformance
