// `dlspec rules --coverage`: the share of rules that are checked, and the reasons for the others.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

struct GroupCoverage {
  std::string_view group;
  std::size_t all = 0;
  std::size_t by_coverage[3] = {};
  std::size_t tested = 0;
};

std::vector<GroupCoverage> coverage_by_group(std::span<const RuleId> tested) {
  std::vector<GroupCoverage> groups;
  GroupCoverage total{.group = "all"};
  for (const Rule& row : rules()) {
    if (groups.empty() || groups.back().group != rule_group(row)) groups.push_back({.group = rule_group(row)});
    for (GroupCoverage* figures : {&groups.back(), &total}) {
      ++figures->all;
      ++figures->by_coverage[static_cast<std::size_t>(row.coverage)];
      figures->tested += std::binary_search(tested.begin(), tested.end(), row.rule) ? 1 : 0;
    }
  }
  groups.push_back(total);
  return groups;
}

// Unchecked rules with the same reason.
struct Unchecked {
  std::string_view reason;
  std::vector<const Rule*> rules;
};

std::vector<Unchecked> unchecked(Coverage coverage) {
  std::vector<Unchecked> list;
  for (const Rule& row : rules()) {
    if (row.coverage != coverage) continue;
    const auto same = [&](const Unchecked& entry) { return entry.reason == row.reason; };
    const auto known = std::find_if(list.begin(), list.end(), same);
    if (known != list.end()) {
      known->rules.push_back(&row);
    } else {
      list.push_back({row.reason, {&row}});
    }
  }
  return list;
}

std::string reasons(Coverage coverage, std::string_view heading) {
  std::string text;
  for (const Unchecked& entry : unchecked(coverage)) {
    std::string names;
    for (const Rule* row : entry.rules) names += fmt::format("{}{}", names.empty() ? "" : ", ", row->id);
    text += fmt::format("  {}\n    {}\n", wrapped(std::string(entry.reason) + ":", 2, 2), wrapped(names, 4, 4));
  }
  return text.empty() ? "" : fmt::format("\n{}\n{}", heading, text);
}

}  // namespace

std::string rules_coverage(std::span<const RuleId> tested) {
  constexpr const char* line = "{:<10}{:>8}{:>9}{:>8}{:>9}{:>7}\n";
  std::string text = fmt::format(line, "group", "rules", "checked", "tested", "not yet", "never");
  for (const GroupCoverage& figures : coverage_by_group(tested)) {
    text += fmt::format(line, figures.group, figures.all, figures.by_coverage[0], figures.tested,
                        figures.by_coverage[1], figures.by_coverage[2]);
  }
  text += "\nTested: the zoo has a faulty subject and its clean twin; `dlspec selftest` runs them.\n";
  return text + reasons(Coverage::not_yet, "Not yet checked, though a machine could, because:") +
         reasons(Coverage::never, "Never checked, because:");
}

}  // namespace dlspec::conformance
