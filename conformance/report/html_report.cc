// The HTML page: the verdict of each subject, then its findings folded by rule, then what was not judged.
#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

// What is worst comes first.
constexpr Verdict by_weight[] = {Verdict::fail,        Verdict::crash,   Verdict::timeout, Verdict::xpass,
                                 Verdict::warn,        Verdict::info,    Verdict::xfail,   Verdict::pass,
                                 Verdict::unsupported, Verdict::blocked, Verdict::skipped, Verdict::not_applicable};
static_assert(std::size(by_weight) == std::size(all_verdicts));

std::string field(const char* name, const std::string& markup) {
  return markup.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, markup);
}

// How many records have each status; statuses without a record are left out.
std::string counts(const Document& document, const SubjectInfo& subject) {
  const Summary summary = summarize(document.results, subject.subject);
  std::string text;
  for (const Verdict status : by_weight) {
    const std::uint64_t count = summary[static_cast<std::size_t>(status)];
    if (count > 0) text += fmt::format("<li><b>{}</b> {}</li>", count, verdict_name(status));
  }
  return "<ul class=\"counts\">" + (text.empty() ? "<li>nothing was judged</li>" : text) + "</ul>\n";
}

// No line ends between a number and its sign.
std::string with_unit(std::string markup) {
  for (std::size_t at = markup.find(" %"); at != std::string::npos; at = markup.find(" %", at))
    markup.replace(at, 2, "&nbsp;%");
  return markup;
}

std::string verdict(const Document& document, const SubjectInfo& subject, std::size_t number) {
  const Claim claim = claim_of(document, subject);
  const char* kind = claim.failing > 0 ? "fails" : claim.warnings > 0 ? "warns" : claim.is_judged() ? "passes" : "open";
  std::string text = fmt::format("<p class=\"verdict {}\"><a href=\"#subject-{}\"><b>{}</b></a> {}", kind, number,
                                 escape_markup(shown_name(subject)), with_unit(escape_markup(verdict_text(claim))));
  if (const std::string exercised = exercised_text(claim); !exercised.empty())
    text += "; " + with_unit(escape_markup(exercised));
  return text + "</p>\n" + counts(document, subject);
}

// Radio buttons that the style sheet obeys: without scripts, and where it does not, everything is shown.
std::string filter() {
  struct Choice {
    const char* id;
    const char* label;
  };
  constexpr Choice choices[] = {
      {"show-all", "all"}, {"show-failing", "failures"}, {"show-warn", "warnings"}, {"show-info", "information"}};
  std::string text = "<form><fieldset class=\"filter\"><legend>Findings to show</legend>";
  for (const Choice& each : choices) {
    text += fmt::format("<label><input type=\"radio\" name=\"show\" id=\"{}\"{}> {}</label>", each.id,
                        &each == choices ? " checked" : "", each.label);
  }
  return text + "</fieldset></form>\n" + html_search;
}

std::string reasons(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status) {
  const std::vector<FoldedReason> folded = fold_reasons(document, subject, status);
  if (folded.empty()) return "";
  std::string text = fmt::format("<details><summary>{} ({} {})</summary><ul class=\"reasons\">\n", heading,
                                 folded.size(), folded.size() == 1 ? "reason" : "reasons");
  for (const FoldedReason& reason : folded) {
    text += fmt::format("<li><b>{}</b> {}: {}</li>\n", reason.cases, reason.cases == 1 ? "case" : "cases",
                        reason.reason.empty() ? "no reason given" : escape_markup(reason.reason));
  }
  return text + "</ul></details>\n";
}

std::vector<FoldedRule> findings_of(const Records& records) {
  constexpr Verdict info[] = {Verdict::info};
  std::vector<FoldedRule> rules = violated_rules(records);
  for (FoldedRule& folded : fold_rules(records, info)) rules.push_back(std::move(folded));
  return rules;
}

std::string subject_section(const Document& document, const SubjectInfo& subject, std::size_t number) {
  std::string text =
      fmt::format("<section id=\"subject-{}\"><h2>{}</h2>\n", number, escape_markup(shown_name(subject)));
  std::string findings;
  std::size_t finding = 0;
  for (const FoldedRule& folded : findings_of(records_of(document, subject))) {
    const bool is_open = finding == 0 && folded.worst != Verdict::info;  // the worst alone: the page stays short
    findings += html_finding(folded, number * 1000 + finding++, is_open);
  }
  text += findings.empty() ? "<p>No findings.</p>\n" : "<h3>Findings</h3>\n" + findings;
  const std::string unjudged = reasons("Accepted by the baseline", document, subject, Verdict::xfail) +
                               reasons("Not supported", document, subject, Verdict::unsupported) +
                               reasons("Blocked", document, subject, Verdict::blocked) +
                               reasons("Skipped", document, subject, Verdict::skipped);
  if (!unjudged.empty()) text += "<h3>Not judged, or accepted</h3>\n" + unjudged;
  text += "<h3>What was judged</h3>\n<dl>\n" + field("subject", html_code(shown_path(subject.subject)));
  text += field("roles", role_list(subject));
  text +=
      field("loaded from", subject.loaded_from.empty() ? "was not loaded" : html_code(shown_path(subject.loaded_from)));
  text += field("build", escape_markup(subject.build)) + field("interpreter", escape_markup(subject.interpreter));
  if (!subject.table_calls.empty())
    text += field("calls of exchange tables",
                  escape_markup(clean_text(fmt::format("{}", fmt::join(subject.table_calls, ", ")))));
  return text + "</dl></section>\n";
}

}  // namespace

std::string html_report(const Document& document) {
  std::string verdicts, sections;
  for (std::size_t i = 0; i < document.subjects.size(); ++i) {
    const SubjectInfo& subject = document.subjects[i];
    if (has_exchanges_only(document, subject)) continue;
    verdicts += verdict(document, subject, i + 1);
    sections += subject_section(document, subject, i + 1);
  }
  const RuleFigures figures = rule_figures(document);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>DLPack "
      "conformance</title>\n<style>{}</style></head>\n<body><main>\n<h1>DLPack conformance</h1>\n{}{}{}{}"
      "</main>\n<footer><p>Made by dlspec {} from {} results; {} of {} rules were exercised; seed "
      "{}.</p></footer>\n</body></html>\n",
      html_style, verdicts, sections.empty() ? "" : filter(), html_matrix(document), sections,
      escape_markup(document.version), document.results.size(), figures.exercised_ids.size(), figures.specified,
      document.seed);
}

}  // namespace dlspec::conformance
