#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/rules_text.h>

namespace dlspec::conformance {
namespace {

constexpr const char* style = R"css(
:root { color-scheme: light dark; --page: #fff; --ink: #1b1b1f; --faint: #5b5e66; --line: #d4d6dc; --card: #f6f7f9;
  --bad: #a4161a; --warn: #7a5200; --good: #14692d; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --page: #16171a; --ink: #e6e7ea; --faint: #a3a6ae; --line: #3a3d44;
  --card: #202227; --bad: #ff8f88; --warn: #f0bd5b; --good: #79d08f; --link: #9cc2ff; } }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
code { font: 0.875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; } caption { text-align: left; color: var(--faint); padding-bottom: 0.25rem; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem;
  margin: 0.5rem 0; padding: 0 1rem; }
summary { cursor: pointer; padding: 0.5rem 0; }
summary:focus-visible, a:focus-visible, .wide:focus-visible { outline: 2px solid var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--faint); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; white-space: pre-line; }
.status { font-weight: 700; text-transform: uppercase; margin-right: 0.5rem; }
.fail, .crash, .timeout, .xpass { color: var(--bad); } .warn { color: var(--warn); } .pass { color: var(--good); }
p.faint, footer { color: var(--faint); } a { color: var(--link); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
table.matrix th[scope="col"] { vertical-align: bottom; } table.matrix td { padding: 0; }
a.cell { display: block; padding: 0.4rem 0.75rem; color: inherit; text-decoration: none; min-width: 5.5rem; }
a.cell:hover { text-decoration: underline; }
a.cell:focus-visible { outline: 3px solid var(--link); outline-offset: -3px; }
a.cell b { font-family: ui-monospace, monospace; } a.cell small { display: block; color: var(--faint); }
.fails { color: var(--bad); } .warns { color: var(--warn); } .shared, .copied { color: var(--good); }
td.fails { background: var(--card); border: 2px solid var(--bad); }
section.pair th code, section.pair td code { white-space: nowrap; }
section.pair { display: none; } section.pair:target { display: block; }
@media print { section.pair { display: block; } }
)css";

std::string code(std::string_view text) { return "<code>" + escape_markup(text) + "</code>"; }

std::uint64_t count_of(const Summary& summary, Verdict status) { return summary[static_cast<std::size_t>(status)]; }

std::string subjects_table(const Document& document) {
  std::string text =
      "<div class=\"wide\"><table><caption>Records by status</caption><thead><tr><th scope=\"col\">subject</th>"
      "<th scope=\"col\">version</th>";
  for (const Verdict status : all_verdicts)
    text += fmt::format("<th scope=\"col\" class=\"{0}\">{0}</th>", verdict_name(status));
  text += "</tr></thead><tbody>\n";
  std::size_t judged = 0;
  for (std::size_t i = 0; i < document.subjects.size(); ++i) {
    const SubjectInfo& subject = document.subjects[i];
    if (has_exchanges_only(document, subject)) continue;
    ++judged;
    const Summary summary = summarize(document.results, subject.subject);
    text += fmt::format("<tr><th scope=\"row\"><a href=\"#subject-{}\">{}</a></th><td>{}</td>", i + 1,
                        escape_markup(subject.subject), escape_markup(subject.version));
    for (const Verdict status : all_verdicts)
      text += fmt::format("<td class=\"number\">{}</td>", count_of(summary, status));
    text += "</tr>\n";
  }
  return judged > 0 || document.subjects.empty() ? text + "</tbody></table></div>\n" : "";
}

std::string field(const char* name, const std::string& markup) {
  return markup.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, markup);
}

std::string other_cases(const FoldedFinding& finding) {
  std::string text;
  for (const Record* other : finding.others) text += (text.empty() ? "" : "<br>") + code(other->case_id);
  return text;
}

std::string finding_text(const FoldedFinding& finding) {
  const Record& record = *finding.first;
  const Rule& row = rule(record.rule);
  const std::optional<Order> order = order_of(record.case_id);
  const bool failing =
      std::find(std::begin(failing_statuses), std::end(failing_statuses), record.status) != std::end(failing_statuses);
  std::string text = fmt::format(
      "<details{0}><summary><span class=\"status {1}\">{1}</span>{2} {3} <span>({4} {5})</span></summary>\n<dl>\n",
      failing ? " open" : "", verdict_name(record.status), code(row.id), escape_markup(row.title),
      finding.others.size() + 1, finding.others.empty() ? "case" : "cases");
  text += field("requirement", escape_markup(row.requirement)) + field("level", escape_markup(level_text(row)));
  text += field("case", code(record.case_id)) + field("tensor", order ? code(order_text(*order)) : "");
  text += field("observed", escape_markup(record.observed)) + field("allowed", escape_markup(record.allowed));
  text += field("milder", escape_markup(mildness(record)));
  text += field("source", escape_markup(row.source));
  text += field("repeat", record.reproduce.empty() ? "" : code(record.reproduce));
  text += field("and in", other_cases(finding));
  return text + "</dl></details>\n";
}

std::string reasons(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status) {
  const std::vector<FoldedReason> folded = fold_reasons(document, subject, status);
  if (folded.empty()) return "";
  std::string text = fmt::format(
      "<details><summary>{} ({})</summary><div class=\"wide\"><table><thead><tr><th scope=\"col\">cases</th>"
      "<th scope=\"col\">reason</th></tr></thead><tbody>\n",
      heading, folded.size());
  for (const FoldedReason& reason : folded) {
    text += fmt::format("<tr><td class=\"number\">{}</td><td>{}</td></tr>\n", reason.cases,
                        reason.reason.empty() ? "no reason given" : escape_markup(reason.reason));
  }
  return text + "</tbody></table></div></details>\n";
}

std::string subject_section(const Document& document, const SubjectInfo& subject, std::size_t number) {
  std::string text =
      fmt::format("<section id=\"subject-{}\"><h2>{}</h2>\n<dl>\n", number, escape_markup(shown_name(subject)));
  const Claim claim = claim_of(document, subject);
  text += field("verdict", verdict_text(claim)) + field("exercised", exercised_text(claim));
  text += field("subject", code(subject.subject)) + field("roles", role_list(subject));
  text += field("loaded from", subject.loaded_from.empty() ? "was not loaded" : code(subject.loaded_from));
  text += field("build", escape_markup(subject.build));
  text += field("interpreter", escape_markup(subject.interpreter)) + "</dl>\n";
  std::string findings;
  for (const FoldedFinding& finding : fold_findings(document, subject, remarkable_statuses))
    findings += finding_text(finding);
  text += findings.empty() ? "<p>No findings.</p>\n" : "<h3>Findings</h3>\n" + findings;
  const std::string unjudged = reasons("Not supported", document, subject, Verdict::unsupported) +
                               reasons("Blocked", document, subject, Verdict::blocked) +
                               reasons("Skipped", document, subject, Verdict::skipped) +
                               reasons("Accepted by the baseline", document, subject, Verdict::xfail);
  return text + (unjudged.empty() ? "" : "<h3>Not judged, or accepted</h3>\n" + unjudged) + "</section>\n";
}

}  // namespace

std::string html_report(const Document& document) {
  const RuleFigures figures = rule_figures(document);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>DLPack "
      "conformance</title>\n<style>{}</style></head>\n"
      "<body><main>\n<h1>DLPack conformance</h1>\n{}",
      style, subjects_table(document));
  text += html_matrix(document);
  for (std::size_t i = 0; i < document.subjects.size(); ++i) {
    if (!has_exchanges_only(document, document.subjects[i]))
      text += subject_section(document, document.subjects[i], i + 1);
  }
  text += fmt::format(
      "</main>\n<footer><p>Made by dlspec {} from {} results; {} of {} rules were exercised; seed "
      "{}.</p></footer>\n</body></html>\n",
      escape_markup(document.version), document.results.size(), figures.exercised_ids.size(), figures.specified,
      document.seed);
  return text;
}

}  // namespace dlspec::conformance
