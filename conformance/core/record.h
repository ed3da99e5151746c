// One line of the result document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

// One planned pair of rule and case of a subject, with its status.
struct Record {
  std::string subject;  // the text given on the command line; "" for an exchange, which sets producer and consumer
  Role role = Role::producer;
  RuleId rule{};
  std::string case_id;
  Verdict status = Verdict::pass;
  std::string observed;
  std::string allowed;
  std::string reproduce;                    // the command that repeats it, starting with "dlspec run"
  std::optional<Verdict> without_baseline;  // the status without the baseline, where the baseline changed it
  std::string producer = {};
  std::string consumer = {};
  std::optional<ExchangeObservation> observation = {};  // only in the record of the case's primary rule
  std::vector<std::string> after = {};     // of a crash: ids of the cases before it that it needs (Answer::after)
  const Mitigation* mitigation = nullptr;  // why a deviation is judged more mildly than the level of its rule
};

// "dlspec run SUBJECT --case ID --rules RULE", quoted for a POSIX shell. Callers append the options of the run that
// affect the result (--python, --seed).
[[nodiscard]] std::string reproduce_command(const std::string& subject, const std::string& case_id, RuleId rule);

// The same for a case that needs others before it, whatever rules these are about: "dlspec run SUBJECT --case FIRST
// --case ID".
[[nodiscard]] std::string reproduce_command(const std::string& subject, const std::vector<std::string>& before,
                                            const std::string& case_id);
// Of such a command, " --case FIRST --case ID".
[[nodiscard]] std::string case_options(const std::vector<std::string>& before, const std::string& case_id);

}  // namespace dlspec::conformance
