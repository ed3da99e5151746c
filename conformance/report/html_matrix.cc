#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

std::string code(std::string_view text) { return "<code>" + escape_markup(text) + "</code>"; }
std::string name_of(const SubjectInfo& subject) { return escape_markup(shown_name(subject)); }
std::string pair_name(const Cell& cell) { return name_of(*cell.producer) + " to " + name_of(*cell.consumer); }

// The heading of a row or column, with the path of the library as its tooltip.
std::string heading(const char* scope, const SubjectInfo& subject) {
  const std::string from = subject.loaded_from.empty() ? "was not loaded" : shown_path(subject.loaded_from);
  return fmt::format("<th scope=\"{}\" title=\"{}\">{}</th>", scope, escape_markup(from), name_of(subject));
}

std::string cell_markup(const Cell& cell, std::size_t row, std::size_t column) {
  const StateWords& words = words_of(cell.state);
  constexpr std::size_t longest = 60;
  std::string notes;
  for (const std::string& note : {count_text(cell), cut(why_text(cell), longest)}) {
    if (!note.empty()) notes += " <small>" + escape_markup(note) + "</small>";
  }
  return fmt::format(
      "<td class=\"{0}\" data-label=\"to {6}\"><a class=\"cell\" id=\"cell-{1}-{2}\" href=\"#pair-{1}-{2}\"><span "
      "class=\"unseen\">{3}: </span><b aria-hidden=\"true\">{4}</b> {0}{5}</a></td>",
      words.word, row, column, pair_name(cell), escape_markup(words.symbol), notes, name_of(*cell.consumer));
}

std::string table(const Matrix& matrix) {
  std::string text =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table of exchanges\"><table "
      "class=\"matrix cards\"><caption>The row's array, imported by the column. Each cell leads to what was "
      "tried.</caption>\n<thead><tr><th scope=\"col\">from, to</th>";
  for (const SubjectInfo* consumer : matrix.subjects) text += heading("col", *consumer);
  text += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    text += "<tr>" + heading("row", *matrix.subjects[i]);
    for (std::size_t j = 0; j < matrix.subjects.size(); ++j) text += cell_markup(matrix.at(i, j), i + 1, j + 1);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

const char* worst_of(const Matrix& matrix) {
  const auto worst = std::min_element(matrix.cells.begin(), matrix.cells.end(),
                                      [](const Cell& a, const Cell& b) { return a.state < b.state; });
  return words_of(worst->state).word;
}

std::string legend() {
  std::string text = "<dl>\n";
  for (const StateWords& words : state_words()) {
    text += fmt::format("<dt class=\"{0}\"><code>{1}</code> {0}</dt><dd>{2}</dd>\n", words.word,
                        escape_markup(words.symbol), words.legend);
  }
  return text + "</dl>\n";
}

std::string finding_markup(const FoldedFinding& finding) {
  const Record& record = *finding.first;
  const Rule& row = rule(record.rule);
  std::string text =
      fmt::format("<dt><span class=\"status {0}\">{0}</span></dt><dd>{1} {2} ({3}; {4} {5})<br>",
                  verdict_name(record.status), code(row.id), escape_markup(row.title), escape_markup(level_text(row)),
                  finding.others.size() + 1, finding.others.empty() ? "case" : "cases");
  text += escape_markup(record.observed) + "<br>allowed: " + escape_markup(record.allowed);
  if (!record.reproduce.empty()) text += "<br>repeat: " + code(shown_command(record));
  return text + "</dd>\n";
}

constexpr const char* columns_of_cases[] = {"case",      "requested", "imported", "layout", "memory",
                                            "read-only", "by table",  "result",   "why"};

std::string case_row(const ExchangedCase& each) {
  const Record& record = *each.primary;
  const std::optional<Order> order = order_of(record.case_id);
  const ExchangeObservation observation = record.observation.value_or(ExchangeObservation{});
  const auto cell = [](const std::string& markup) { return "<td>" + markup + "</td>"; };
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", code(record.case_id));
  text += cell(order ? code(order_text(*order)) : "");
  text += cell(observation.tensor.empty() ? "" : code(observation.tensor));
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

std::string pair_section(const Cell& cell, std::size_t row, std::size_t column) {
  std::string text = fmt::format("<section class=\"pair\" id=\"pair-{}-{}\"><h3>{}: {}</h3>\n", row, column,
                                 pair_name(cell), words_of(cell.state).legend);
  std::string findings;
  for (const FoldedFinding& finding : fold_findings(cell.records, remarkable_statuses))
    findings += finding_markup(finding);
  if (!findings.empty()) text += "<dl>\n" + findings + "</dl>\n";
  if (!cell.records.empty()) text += cases_table(cell);
  return text + fmt::format("<p><a href=\"#cell-{}-{}\">Back to the table</a></p></section>\n", row, column);
}

}  // namespace

std::string html_matrix(const Document& document) {
  const Matrix matrix = matrix_of(document);
  if (matrix.empty()) return "";
  std::string text = fmt::format("<section id=\"exchanges\"><h2>Exchanges</h2>\n<p class=\"verdict {}\">{}</p>\n",
                                 worst_of(matrix), pairs_text(matrix)) +
                     table(matrix) + legend();
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    for (std::size_t j = 0; j < matrix.subjects.size(); ++j) text += pair_section(matrix.at(i, j), i + 1, j + 1);
  }
  return text + "</section>\n";
}

}  // namespace dlspec::conformance
