// Limits the crashes and timeouts of a subject. Depends only on the order of cases, so that a run blocks the same cases
// with any number of workers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

class DeathPolicy {
 public:
  static constexpr int per_layout = 2;  // deaths of a role in the layouts that a rule is about, such as those with
                                        // negative strides, after which they are blocked; together they count once
  static constexpr int per_rule = 3;    // deaths under one primary rule, after which that rule is blocked
  static constexpr int in_all = 10;     // deaths of the subject, after which all cases are blocked except those that
                                        // may show the cause
  static constexpr int at_last = 15;    // deaths of the subject, after which all cases are blocked

  // Deaths by structs that no producer may make are information, and keep no other case from being asked.
  void count(const Case& work) {
    if (is_hostile(work.id)) {
      ++hostile_deaths_[work.primary];
      ++hostile_;
      return;
    }
    bool is_known = false;
    for (const RuleId about : rules_of_layout(work)) is_known |= ++in_layouts_[{work.role, about}] > 1;
    if (is_known) return;
    ++deaths_[work.primary];
    ++total_;
  }
  // Records that the case runs.
  void ask(const Case& work) { asked_.insert(work.primary); }

  // The reason to block the case; nullopt: run it.
  [[nodiscard]] std::optional<std::string> blocked(const Case& work) const {
    if (total_ >= at_last) return fmt::format("the worker died {} times", at_last);
    if (total_ >= in_all && !may_tell(work.primary)) return fmt::format("the worker died {} times", in_all);
    if (is_hostile(work.id)) return blocked_as_hostile(work.primary);
    for (const RuleId about : rules_of_layout(work)) {
      const auto found = in_layouts_.find({work.role, about});
      if (found != in_layouts_.end() && found->second >= per_layout)
        return fmt::format("the worker died {} times in layouts that {} is about", per_layout, rule(about).id);
    }
    return blocked_by_rule(deaths_, work.primary);
  }

 private:
  using Deaths = std::map<RuleId, int>;

  static std::optional<std::string> blocked_by_rule(const Deaths& deaths, RuleId primary) {
    const auto found = deaths.find(primary);
    if (found == deaths.end() || found->second < per_rule) return std::nullopt;
    return fmt::format("the worker died {} times under {}", per_rule, rule(primary).id);
  }
  [[nodiscard]] std::optional<std::string> blocked_as_hostile(RuleId primary) const {
    if (hostile_ >= in_all) return fmt::format("the worker died {} times of structs that no producer may make", in_all);
    return blocked_by_rule(hostile_deaths_, primary);
  }
  // When every case dies, the cause is most often a deleter: still run the first case of each rule of the group
  // managed.
  [[nodiscard]] bool may_tell(RuleId primary) const {
    return rule_group(rule(primary)) == "managed" && !asked_.contains(primary);
  }
  static std::span<const RuleId> rules_of_layout(const Case& work) {
    const LayoutRow* const layout = find_layout(work.layout);
    return layout != nullptr ? std::span<const RuleId>(layout->consumer_rules) : std::span<const RuleId>();
  }

  std::map<std::pair<Role, RuleId>, int> in_layouts_;
  Deaths deaths_, hostile_deaths_;
  std::set<RuleId> asked_;
  int total_ = 0, hostile_ = 0;
};

}  // namespace dlspec::conformance
