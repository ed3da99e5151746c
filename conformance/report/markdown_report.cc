#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/markdown_parts.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/rules_text.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t cases_listed = 5;

std::string subjects_table(const Document& document) {
  std::string rows;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    const Summary summary = summarize(document.results, subject.subject);
    const auto count = [&](Verdict status) { return summary[static_cast<std::size_t>(status)]; };
    const std::uint64_t failed = count(Verdict::fail) + count(Verdict::crash) + count(Verdict::timeout);
    rows += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_text(shown_path(subject.subject)),
                        markdown_text(subject.version), role_list(subject), failed, count(Verdict::warn),
                        count(Verdict::pass), count(Verdict::unsupported));
  }
  constexpr const char* head =
      "| subject | version | roles | failed | warned | passed | not supported |\n|---|---|---|---|---|---|---|\n";
  return rows.empty() && !document.subjects.empty() ? "" : head + rows;
}

std::string also_in(const FoldedFinding& finding) {
  if (finding.others.empty()) return "";
  std::string text = fmt::format("- and in {} more: ", finding.others.size());
  for (std::size_t i = 0; i < std::min(cases_listed, finding.others.size()); ++i) {
    text += (i == 0 ? "" : ", ") + markdown_code(finding.others[i]->case_id);
  }
  return text + (finding.others.size() > cases_listed ? ", …\n" : "\n");
}

std::string finding_text(const FoldedFinding& finding) {
  const Record& record = *finding.first;
  const Rule& row = rule(record.rule);
  std::string text = fmt::format("\n### {}: {} ({})\n\n{}\n\n", verdict_name(record.status), row.id, level_text(row),
                                 markdown_text(row.requirement));
  text += "- case: " + markdown_code(record.case_id) + "\n";
  if (const std::optional<Order> order = order_of(record.case_id))
    text += "- tensor: " + markdown_code(order_text(*order)) + "\n";
  text += "- observed: " + markdown_text(record.observed) + "\n";
  text += "- allowed: " + markdown_text(record.allowed) + "\n";
  if (const std::string why = mildness(record); !why.empty()) text += "- milder: " + markdown_text(why) + "\n";
  text += "- source: " + markdown_text(row.source) + "\n";
  if (!record.reproduce.empty()) text += "- repeat: " + markdown_code(shown_command(record)) + "\n";
  return text + also_in(finding);
}

std::string subject_text(const Document& document, const SubjectInfo& subject) {
  const Claim claim = claim_of(document, subject);
  std::string text = fmt::format("\n## {0}\n\n{0} {1}", markdown_text(shown_name(subject)), verdict_text(claim));
  if (const std::string exercised = exercised_text(claim); !exercised.empty()) text += "; " + exercised;
  text += ". ";
  if (!subject.loaded_from.empty()) text += "Loaded from " + markdown_code(shown_path(subject.loaded_from)) + ". ";
  const Summary summary = summarize(document.results, subject.subject);
  std::string counts;
  for (const Verdict status : all_verdicts) {
    const std::uint64_t count = summary[static_cast<std::size_t>(status)];
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict_name(status));
  }
  text += (counts.empty() ? "Nothing was judged" : counts) + ".\n";
  for (const FoldedFinding& finding : fold_findings(document, subject, remarkable_statuses))
    text += finding_text(finding);
  const std::vector<FoldedReason> reasons = fold_reasons(document, subject, Verdict::unsupported);
  if (!reasons.empty()) text += "\n### Not supported\n\n";
  for (const FoldedReason& reason : reasons) {
    text += fmt::format("- {}: {}\n", reason.cases,
                        markdown_text(reason.reason.empty() ? "no reason given" : reason.reason));
  }
  return text;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char character : clean_text(text)) {
    if (std::string_view("\\`*_{}[]<>#|~").find(character) != std::string_view::npos) escaped += '\\';
    escaped += character == '\n' ? ' ' : character;
  }
  return escaped;
}

// A backquote inside the text needs a longer fence.
std::string markdown_code(std::string_view text) {
  std::string clean = clean_text(text);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  return clean.find('`') == std::string::npos ? "`" + clean + "`" : "`` " + clean + " ``";
}

std::string markdown_report(const Document& document) {
  const RuleFigures figures = rule_figures(document);
  std::string text = "# DLPack conformance\n\n" + subjects_table(document);
  for (const SubjectInfo& subject : document.subjects) {
    if (!has_exchanges_only(document, subject)) text += subject_text(document, subject);
  }
  text += markdown_matrix(document);
  text += fmt::format("\nMade by dlspec {} from {} results; {} of {} rules were exercised.\n",
                      markdown_text(document.version), document.results.size(), figures.exercised_ids.size(),
                      figures.specified);
  return text;
}

}  // namespace dlspec::conformance
