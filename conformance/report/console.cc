#include <dlspec/conformance/report/console.h>

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_reasons = 20;  // lines of reasons under one heading

// The verdict, then what was judged.
std::string header(const Document& document, const SubjectInfo& subject, const Paint& paint) {
  const Claim claim = claim_of(document, subject);
  const Verdict worst = claim.failing > 0 ? Verdict::fail : claim.warnings > 0 ? Verdict::warn : Verdict::pass;
  std::string text = paint.strong(shown_name(subject)) + " " +
                     paint.status(claim.is_judged() ? worst : Verdict::skipped, verdict_text(claim));
  if (const std::string exercised = exercised_text(claim); !exercised.empty()) text += "; " + exercised;
  std::vector<std::string> facts;
  if (!subject.name.empty() && subject.subject != subject.name) facts.push_back(clean_text(subject.subject));
  if (!subject.roles.empty()) facts.push_back(role_list(subject));
  if (!subject.loaded_from.empty()) facts.push_back("loaded from " + clean_text(subject.loaded_from));
  if (!subject.build.empty()) facts.push_back(clean_text(subject.build));
  if (!subject.interpreter.empty()) facts.push_back(clean_text(subject.interpreter));
  if (subject.name.empty()) facts.emplace_back("was not loaded");
  return fmt::format("{}\n  {}\n", text, paint.faint(fmt::format("{}", fmt::join(facts, ", "))));
}

// One line per reason: how many cases, why.
std::string reasons(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status) {
  const std::vector<FoldedReason> folded = fold_reasons(document, subject, status);
  if (folded.empty()) return "";
  std::string text = fmt::format("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(folded.size(), most_reasons); ++i) {
    const auto& [reason, count] = folded[i];
    std::string shown = clean_text(reason.empty() ? "no reason given" : reason, longest_shown);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    text += fmt::format("  {:>4} {}  {}\n", count, count == 1 ? "case " : "cases", shown);
  }
  if (folded.size() > most_reasons) text += fmt::format("  and {} more reasons\n", folded.size() - most_reasons);
  return text;
}

// What is only information, a line for each rule.
std::string observations(const Document& document, const SubjectInfo& subject, const Paint& paint) {
  constexpr Verdict info[] = {Verdict::info};
  std::map<RuleId, std::vector<FoldedFinding>> by_rule;
  for (FoldedFinding& finding : fold_findings(document, subject, info))
    by_rule[finding.first->rule].push_back(std::move(finding));
  std::string text = by_rule.empty() ? "" : "\nInformation:\n";
  for (const auto& [id, findings] : by_rule) {
    std::size_t cases = 0;
    for (const FoldedFinding& finding : findings) cases += 1 + finding.others.size();
    std::string shown = clean_text(findings.front().first->observed, longest_shown);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    if (findings.size() > 1) shown += fmt::format(", and {} more", findings.size() - 1);
    text +=
        fmt::format("  {:>4} {}  {}  {}\n", cases, cases == 1 ? "case " : "cases", paint.strong(rule(id).id), shown);
  }
  return text;
}

std::string counts(const Document& document, const SubjectInfo& subject, const Paint& paint) {
  const Summary summary = summarize(document.results, subject.subject);
  std::vector<std::string> parts;
  for (const Verdict status : all_verdicts) {
    const std::uint64_t count = summary[static_cast<std::size_t>(status)];
    if (count > 0) parts.push_back(paint.status(status, fmt::format("{} {}", count, verdict_name(status))));
  }
  if (parts.empty()) parts.emplace_back("nothing was judged");
  return fmt::format("{}: {}", paint.strong(shown_name(subject)), fmt::join(parts, ", "));
}

}  // namespace

std::string count_line(const Document& document, const SubjectInfo& subject) {
  return counts(document, subject, Paint(false));
}

std::string console_subject(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  const Paint paint(options.color);
  std::string text = header(document, subject, paint);
  constexpr Verdict shown[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass, Verdict::warn};
  for (const FoldedFinding& block : fold_findings(document, subject, shown))
    text += finding_block(block, shown_name(subject), options, paint);
  text += observations(document, subject, paint);
  text += reasons("Accepted by the baseline:", document, subject, Verdict::xfail);
  text += reasons("Not supported:", document, subject, Verdict::unsupported);
  text += reasons("Blocked:", document, subject, Verdict::blocked);
  text += reasons("Skipped:", document, subject, Verdict::skipped);
  return text + "\n" + counts(document, subject, paint) + "\n";
}

std::string console_report(const Document& document, const ConsoleOptions& options) {
  std::string text;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    if (!text.empty()) text += "\n";
    text += console_subject(document, subject, options);
  }
  const std::string exchanges = console_matrix(document, options);
  return text + (text.empty() || exchanges.empty() ? "" : "\n") + exchanges;
}

}  // namespace dlspec::conformance
