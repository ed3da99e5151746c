// What was tried between two libraries, behind each cell of the matrix: as much of it as the page has room for.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

std::string finding_markup(const FoldedFinding& finding) {
  const Record& record = *finding.first;
  const Rule& row = rule(record.rule);
  std::string text =
      fmt::format("<dt><span class=\"status {0}\">{0}</span></dt><dd>{1} {2} ({3}; {4} {5})<br>",
                  verdict_name(record.status), html_code(row.id), escape_markup(row.title),
                  escape_markup(level_text(row)), finding.others.size() + 1, finding.others.empty() ? "case" : "cases");
  text += escape_markup(record.observed) + "<br>allowed: " + escape_markup(record.allowed);
  if (!record.reproduce.empty()) text += "<br>repeat: " + html_command(record);
  return text + "</dd>\n";
}

constexpr const char* columns_of_cases[] = {"case",      "requested", "imported", "layout", "memory",
                                            "read-only", "by table",  "result",   "why"};

std::string case_row(const ExchangedCase& each) {
  const Record& record = *each.primary;
  const std::optional<Order> order = order_of(record.case_id);
  const ExchangeObservation observation = record.observation.value_or(ExchangeObservation{});
  const auto cell = [](const std::string& markup) { return "<td>" + markup + "</td>"; };
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", html_code(record.case_id));
  text += cell(order ? html_code(order_text(*order)) : "");
  text += cell(observation.tensor.empty() ? "" : html_code(observation.tensor));
  for (const std::string* fact :
       {&observation.layout, &observation.memory, &observation.read_only, &observation.by_table})
    text += cell(escape_markup(*fact));
  text += cell(fmt::format("<b class=\"{0}\">{0}</b>", verdict_name(each.status)));
  return text + cell(escape_markup(each.reason)) + "</tr>\n";
}

std::string cases_table(const Cell& cell) {
  std::string text =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Cases\"><table class=\"cards cases\"><caption>Cases</caption><thead><tr>";
  for (const char* column : columns_of_cases) text += fmt::format("<th scope=\"col\">{}</th>", column);
  text += "</tr></thead><tbody>\n";
  for (const ExchangedCase& each : cases_of(cell)) text += case_row(each);
  return text + "</tbody></table></div>\n";
}

// Every finding, and every case in a row of its own.
std::string whole_pair(const Cell& cell) {
  std::string findings;
  for (const FoldedFinding& finding : fold_findings(cell.records, remarkable_statuses))
    findings += finding_markup(finding);
  return (findings.empty() ? "" : "<dl>\n" + findings + "</dl>\n") + cases_table(cell);
}

// A rule that is violated, with its most frequent status: "fail tensor.element-address (12 cases): byte 0 is ...".
std::string rule_markup(const FoldedRule& folded, std::size_t longest) {
  std::string observed = escape_markup(cut(on_one_line(folded.deviating.front()->observed), longest));
  if (!observed.empty()) observed = ": " + observed;
  return fmt::format("<li><b class=\"{0}\">{0}</b> {1} ({2}){3}</li>\n", verdict_name(folded.worst),
                     html_code(rule(folded.rule).id), folded.deviating.size(), observed);
}

std::string rules_markup(const Cell& cell, std::size_t longest) {
  const std::vector<FoldedRule> rules = violated_rules(cell.records);
  if (rules.empty()) return "";
  std::string text = "<ul>\n";
  for (const FoldedRule& folded : rules) text += rule_markup(folded, longest);
  return text + "</ul><p>" + html_command(*rules.front().deviating.front()) + "</p>\n";
}

// Cases that came out alike in one line, those that passed last and without their names.
std::string folded_pair(const Cell& cell) {
  constexpr std::size_t longest = 200, most_named = 6;
  using Alike = std::tuple<bool, Verdict, std::string, std::string, std::string, std::string>;
  std::map<Alike, std::vector<const ExchangedCase*>> groups;
  const std::vector<ExchangedCase> cases = cases_of(cell);
  for (const ExchangedCase& each : cases) {
    const ExchangeObservation seen = each.primary->observation.value_or(ExchangeObservation{});
    groups[{each.status == Verdict::pass, each.status, seen.layout, seen.memory, seen.read_only,
            cut(on_one_line(each.reason), longest)}]
        .push_back(&each);
  }
  std::string text = rules_markup(cell, longest) + "<ul>\n";
  for (const auto& [alike, members] : groups) {
    const auto& [passed, status, layout, memory, read_only, why] = alike;
    text += fmt::format("<li><b class=\"{0}\">{0}</b> {1} {2}", verdict_name(status), members.size(),
                        members.size() == 1 ? "case" : "cases");
    if (!layout.empty()) text += "; layout " + escape_markup(layout);
    if (!memory.empty()) text += "; memory " + escape_markup(memory);
    if (!read_only.empty()) text += "; read-only " + escape_markup(read_only);
    if (!why.empty()) text += "; " + escape_markup(why);
    for (std::size_t i = 0; !passed && i < std::min(members.size(), most_named); ++i)
      text += (i == 0 ? ": " : ", ") + html_code(members[i]->primary->case_id);
    if (!passed && members.size() > most_named) text += fmt::format(" and {} more", members.size() - most_named);
    text += "</li>\n";
  }
  return text + "</ul>\n";
}

// Each rule that is violated, and how many cases came out how.
std::string short_pair(const Cell& cell, std::size_t longest) {
  std::map<Verdict, std::size_t> counts;
  for (const ExchangedCase& each : cases_of(cell)) ++counts[each.status];
  std::string text;
  for (const auto& [status, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict_name(status));
  return rules_markup(cell, longest) + "<p>" + text + "</p>\n";
}

// In the first of its forms that fits.
std::string pair_section(const Cell& cell, std::size_t row, std::size_t column, std::size_t room) {
  constexpr const char* folded = "<p>Folded; the JSON document has each case.</p>\n";
  std::string content = cell.records.empty() ? "" : whole_pair(cell);
  if (content.size() > room) content = folded + folded_pair(cell);
  if (content.size() > room) content = folded + short_pair(cell, 80);
  if (content.size() > room) content = folded + short_pair(cell, 0);  // what was observed is left to the document
  return fmt::format(
      "<section class=\"pair\" id=\"pair-{0}-{1}\"><h3>{2} to {3}: {4}</h3>\n{5}<p><a href=\"#cell-{0}-{1}\">Back to "
      "the table</a></p></section>\n",
      row, column, escape_markup(shown_name(*cell.producer)), escape_markup(shown_name(*cell.consumer)),
      words_of(cell.state).legend, content);
}

}  // namespace

std::string html_pairs(const Matrix& matrix) {
  std::string text;
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    for (std::size_t j = 0; j < matrix.subjects.size(); ++j)
      text += pair_section(matrix.at(i, j), i + 1, j + 1, pairs_room / matrix.cells.size());
  }
  return text;
}

}  // namespace dlspec::conformance
