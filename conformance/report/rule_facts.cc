#include <dlspec/conformance/report/rule_facts.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/mitigations.h>

namespace dlspec::conformance {
namespace {

const char* how_checked(Check check) {
  switch (check) {
    case Check::struct_bytes: return "on the bytes of the exported struct";
    case Check::dynamic: return "on a live subject, from C";
    case Check::python: return "on a live subject, from Python";
    case Check::gpu: return "on a live subject with a GPU";
    case Check::sanitizer: return "on a live subject under memory protection";
    case Check::review: break;
  }
  return "by reading the source";
}

// "producer: max_version=1.3, plain; consumer: versioned": the variants that decide the rule.
std::string planned_in(RuleId id) {
  std::map<Role, std::vector<std::string>> names;
  for (const Variant& variant : variants()) {
    bool decides = std::find(variant.rules.begin(), variant.rules.end(), id) != variant.rules.end();
    for (const char* name : variant.layouts) {
      const std::vector<RuleId>& layout_rules = find_layout(name)->consumer_rules;
      decides |= variant.layout_rules && std::find(layout_rules.begin(), layout_rules.end(), id) != layout_rules.end();
    }
    std::vector<std::string>& list = names[variant.role];
    if (decides && std::find(list.begin(), list.end(), variant.name) == list.end()) list.emplace_back(variant.name);
  }
  std::string text;
  for (const auto& [role, list] : names) {
    if (!list.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", role_name(role), fmt::join(list, ", "));
  }
  return text;
}

// The first faulty subject of the zoo with its twin, and the number of further ones.
std::string tested_by(const std::vector<ShownFault>& faults) {
  if (faults.empty()) return "";
  const std::string more = faults.size() > 1 ? fmt::format("; and {} more", faults.size() - 1) : "";
  return fmt::format("{}; clean twin: {}{}", faults.front().faulty, faults.front().twin, more);
}

std::string coverage_text(const Rule& row) {
  std::string text = row.coverage == Coverage::checked ? how_checked(row.check)
                     : row.coverage == Coverage::not_yet
                         ? fmt::format("not yet (it can be, {})", how_checked(row.check))
                         : "never: a machine cannot";
  if (*row.reason != '\0') text += fmt::format(": {}", row.reason);
  return text;
}

const char* bound_side(Side side) {
  if (side == Side::both) return "producers and consumers";
  return side == Side::producer ? "producers" : "consumers";
}

// The texts of finding.def with letters in place of numbers.
std::string with_letters(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> letters[] = {
      {"{axis}", "i"}, {"{value}", "N"},    {"{other}", "M"},           {"{unsigned}", "N"},
      {"{hex}", "N"},  {"{dtype}", "TYPE"}, {"{other_dtype}", "TYPE2"},
  };
  for (const auto& [placeholder, letter] : letters) {
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += letter.size()) {
      text.replace(at, placeholder.size(), letter);
    }
  }
  return text;
}

}  // namespace

std::vector<Fact> facts_of(const Rule& row, const RuleEvidence& evidence) {
  std::vector<Fact> facts = {
      {"level", level_text(row)},
      {"binds", bound_side(row.side)},
      {"versions", interval_text(row.interval)},
      {"source", row.source},
      {"if violated", verdict_name(row.violated)},
      {"needs", row.needs},
      {"checked", coverage_text(row)},
      {"asked in", planned_in(row.rule)},
      {"tested by", tested_by(evidence.faults)},
      {"since", fmt::format("dlspec {}", row.since)},
  };
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

std::vector<std::string> mitigations_of(const Rule& row) {
  std::vector<std::string> lines;
  for (const Mitigation* each : mitigations_about(row)) {
    const bool always = each->scope == Mitigation::Scope::always;
    lines.push_back(fmt::format("{}{}: {}", verdict_name(each->verdict),
                                always ? "" : std::string(" where ") + each->condition, reason_text(*each)));
  }
  const Mitigation* const unclaimed = find_mitigation("array-api-not-claimed");
  if (row.interval.scope == Interval::Scope::array_api && row.violated == Verdict::fail)
    lines.push_back(fmt::format("{} where {}: {}", verdict_name(unclaimed->verdict), unclaimed->condition,
                                reason_text(*unclaimed)));
  return lines;
}

std::vector<std::string> reports_of(const Rule& row) {
  std::vector<std::string> reports;
  for (const FindingRow& finding : finding_table()) {
    if (finding.rule != row.rule) continue;
    reports.push_back(fmt::format("{}: {}; allowed: {}", verdict_name(finding.verdict), with_letters(finding.observed),
                                  with_letters(finding.allowed)));
  }
  return reports;
}

}  // namespace dlspec::conformance
