#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

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

}  // namespace

std::string html_matrix(const Document& document) {
  const Matrix matrix = matrix_of(document);
  if (matrix.empty()) return "";
  std::string text = fmt::format("<section id=\"exchanges\"><h2>Exchanges</h2>\n<p class=\"verdict {}\">{}</p>\n",
                                 worst_of(matrix), pairs_text(matrix)) +
                     table(matrix) + legend();
  return text + html_pairs(matrix) + "</section>\n";
}

}  // namespace dlspec::conformance
