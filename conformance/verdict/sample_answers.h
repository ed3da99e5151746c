// Test fixture: a case of three rules, and answers to it.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

inline Case sample_case() {
  Case work;
  work.id = "consumer/float32/c/null-deleter";
  work.role = Role::consumer;
  work.primary = RuleId::managed_deleter_null_skipped;
  work.rules = {RuleId::tensor_element_address, RuleId::managed_deleter_once, RuleId::managed_deleter_null_skipped};
  return work;
}

// The same with one rule.
inline Case case_of(RuleId id) {
  Case work = sample_case();
  work.primary = id;
  work.rules = {id};
  return work;
}

inline Outcome outcome_of(Outcome::Kind kind, std::string observed = "seen", std::string allowed = "right") {
  Outcome outcome;
  outcome.kind = kind;
  outcome.observed = std::move(observed);
  outcome.allowed = std::move(allowed);
  return outcome;
}

inline Answer answered(std::initializer_list<Outcome::Kind> kinds) {
  Answer answer;
  const Case work = sample_case();
  auto rule = work.rules.begin();
  for (const Outcome::Kind kind : kinds) answer.outcomes[*rule++] = outcome_of(kind);
  return answer;
}

inline Answer death(Answer::Kind kind) {
  Answer answer;
  answer.kind = kind;
  answer.text = "killed by SIGSEGV";
  return answer;
}

inline std::vector<Verdict> statuses(const std::vector<Record>& records) {
  std::vector<Verdict> found;
  for (const Record& record : records) found.push_back(record.status);
  return found;
}

}  // namespace dlspec::conformance
