#include <dlspec/conformance/header/header_text.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/header/judge_parts.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {
namespace {

std::string first_line(const std::string& path, const HeaderAnswer& answer,
                       const std::vector<HeaderFinding>& findings) {
  const auto count = [&](Verdict status) {
    return std::count_if(findings.begin(), findings.end(),
                         [&](const HeaderFinding& finding) { return finding.status == status; });
  };
  return fmt::format("{}: DLPack {}, {} fail, {} warn, {} info (sizes as {}, by {})\n", path,
                     release_text(header_release(answer.measured)), count(Verdict::fail), count(Verdict::warn),
                     count(Verdict::info), answer.language, answer.compiler);
}

// The findings of one rule under its id and title.
std::string rule_block(RuleId id, const std::vector<HeaderFinding>& findings) {
  const Rule& row = rule(id);
  std::string text = fmt::format("\n{}  {}  {}\n", verdict_name(row.violated), row.id, row.title);
  for (const HeaderFinding& finding : findings) {
    if (finding.rule == id)
      text += fmt::format("  {}: {}; DLPack: {}\n", finding.where, finding.observed, finding.allowed);
  }
  return text + fmt::format("  source  {}\n", row.source);
}

int severity(Verdict status) { return status == Verdict::fail ? 0 : status == Verdict::warn ? 1 : 2; }

}  // namespace

std::string header_text(const std::string& path, const HeaderAnswer& answer,
                        const std::vector<HeaderFinding>& findings) {
  std::string text = first_line(path, answer, findings);
  std::vector<RuleId> violated;
  for (const HeaderFinding& finding : findings) {
    if (std::find(violated.begin(), violated.end(), finding.rule) == violated.end()) violated.push_back(finding.rule);
  }
  std::stable_sort(violated.begin(), violated.end(),
                   [](RuleId a, RuleId b) { return severity(rule(a).violated) < severity(rule(b).violated); });
  for (const RuleId id : violated) text += rule_block(id, findings);
  if (!answer.remarks.empty())
    text += "\nThe compiler remarks, as strict C99 and C++17 with -Wall -Wextra -Wpedantic:\n";
  for (const std::string& remark : answer.remarks) text += "  " + remark + "\n";
  return text;
}

}  // namespace dlspec::conformance
