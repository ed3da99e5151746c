// Limits the crashes and timeouts of a subject. Depends only on the order of cases, so that a run blocks the same cases
// with any number of workers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

class DeathPolicy {
 public:
  static constexpr int per_rule = 3;  // deaths under one primary rule, after which that rule is blocked
  static constexpr int in_all = 10;   // deaths of the subject, after which all cases are blocked except those that may
                                      // show the cause
  static constexpr int at_last = 15;  // deaths of the subject, after which all cases are blocked

  void count(RuleId primary) {
    ++deaths_[primary];
    ++total_;
  }
  // Records that a case with this primary rule runs.
  void ask(RuleId primary) { asked_.insert(primary); }

  // The reason to block a case with this primary rule; nullopt: run it.
  [[nodiscard]] std::optional<std::string> blocked(RuleId primary) const {
    if (total_ >= at_last) return "the worker died " + std::to_string(at_last) + " times";
    if (total_ >= in_all && !may_tell(primary)) return "the worker died " + std::to_string(in_all) + " times";
    const auto found = deaths_.find(primary);
    if (found == deaths_.end() || found->second < per_rule) return std::nullopt;
    return "the worker died " + std::to_string(per_rule) + " times under " + rule(primary).id;
  }

 private:
  // When every case dies, the cause is most often a deleter: still run the first case of each rule of the group
  // managed.
  [[nodiscard]] bool may_tell(RuleId primary) const {
    return rule_group(rule(primary)) == "managed" && !asked_.contains(primary);
  }

  std::map<RuleId, int> deaths_;
  std::set<RuleId> asked_;
  int total_ = 0;
};

}  // namespace dlspec::conformance
