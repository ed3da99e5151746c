// When to stop asking a subject that keeps dying. Depends on the order of cases alone, so that the
// same run blocks the same cases however many workers share it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

class DeathPolicy {
 public:
  static constexpr int per_rule = 3;  // deaths under one primary rule: the rest of that rule is blocked
  static constexpr int in_all = 10;   // deaths of the subject: the rest of the subject is blocked

  void count(RuleId primary) {
    ++deaths_[primary];
    ++total_;
  }

  // Why a case with this primary rule is not run, if so.
  [[nodiscard]] std::optional<std::string> blocked(RuleId primary) const {
    if (total_ >= in_all) return "the worker died " + std::to_string(in_all) + " times";
    const auto found = deaths_.find(primary);
    if (found == deaths_.end() || found->second < per_rule) return std::nullopt;
    return "the worker died " + std::to_string(per_rule) + " times under " + rule(primary).id;
  }

 private:
  std::map<RuleId, int> deaths_;
  int total_ = 0;
};

}  // namespace dlspec::conformance
