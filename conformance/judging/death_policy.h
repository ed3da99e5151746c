// When to stop asking a subject that keeps dying. Depends on the order of cases alone, so that the
// same run blocks the same cases however many workers share it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

class DeathPolicy {
 public:
  static constexpr int per_rule = 3;  // deaths under one primary rule: the rest of that rule is blocked
  static constexpr int in_all = 10;   // deaths of the subject: the rest of the subject is blocked, but for those that
                                      // may tell what it dies of
  static constexpr int at_last = 15;  // deaths of the subject: the rest is blocked

  void count(RuleId primary) {
    ++deaths_[primary];
    ++total_;
  }
  // A case with this primary rule is run.
  void ask(RuleId primary) { asked_.insert(primary); }

  // Why a case with this primary rule is not run, if so.
  [[nodiscard]] std::optional<std::string> blocked(RuleId primary) const {
    if (total_ >= at_last) return "the worker died " + std::to_string(at_last) + " times";
    if (total_ >= in_all && !may_tell(primary)) return "the worker died " + std::to_string(in_all) + " times";
    const auto found = deaths_.find(primary);
    if (found == deaths_.end() || found->second < per_rule) return std::nullopt;
    return "the worker died " + std::to_string(per_rule) + " times under " + rule(primary).id;
  }

 private:
  // What every case dies of is most often a deleter: the first case of each rule about them is run all the same.
  [[nodiscard]] bool may_tell(RuleId primary) const {
    return rule_group(rule(primary)) == "managed" && !asked_.contains(primary);
  }

  std::map<RuleId, int> deaths_;
  std::set<RuleId> asked_;
  int total_ = 0;
};

}  // namespace dlspec::conformance
