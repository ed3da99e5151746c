#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/markdown_parts.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

std::string cell_text(const Cell& cell) {
  const StateWords& words = words_of(cell.state);
  const std::string count = count_text(cell);
  const std::string text = words.word + (count.empty() ? "" : " " + count);
  return cell.state == CellState::fails ? "**" + text + "**" : text;
}

std::string table(const Matrix& matrix) {
  std::string text = "| from \\ to |";
  for (const SubjectInfo* consumer : matrix.subjects) text += " " + markdown_text(shown_name(*consumer)) + " |";
  text += "\n|---|";
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) text += "---|";
  text += '\n';
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    text += "| **" + markdown_text(shown_name(*matrix.subjects[i])) + "** |";
    for (std::size_t j = 0; j < matrix.subjects.size(); ++j) text += " " + cell_text(matrix.at(i, j)) + " |";
    text += '\n';
  }
  return text;
}

// Findings, then the reasons of cases that were not exchanged.
std::string cell_section(const Cell& cell) {
  std::string text;
  for (const FoldedFinding& finding : fold_findings(cell.records, remarkable_statuses)) {
    const Record& record = *finding.first;
    text += fmt::format("- {}: `{}` ({} {}, as {}): {}", verdict_name(record.status), rule(record.rule).id,
                        finding.others.size() + 1, finding.others.empty() ? "case" : "cases",
                        markdown_code(record.case_id), markdown_text(record.observed));
    text += record.reproduce.empty() ? "\n" : "; repeat: " + markdown_code(record.reproduce) + "\n";
  }
  for (const Verdict status : {Verdict::blocked, Verdict::skipped, Verdict::unsupported}) {
    for (const FoldedReason& reason : fold_reasons(cell.records, status)) {
      text += fmt::format("- {}, {} {}: {}\n", verdict_name(status), reason.cases, reason.cases == 1 ? "case" : "cases",
                          markdown_text(reason.reason.empty() ? "no reason given" : reason.reason));
    }
  }
  if (text.empty()) return "";
  return fmt::format("\n### {} to {}\n\n{}", markdown_text(shown_name(*cell.producer)),
                     markdown_text(shown_name(*cell.consumer)), text);
}

}  // namespace

std::string markdown_matrix(const Document& document) {
  const Matrix matrix = matrix_of(document);
  if (matrix.empty()) return "";
  std::string text = "\n## Exchanges\n\n" + table(matrix) + "\n";
  for (const StateWords& words : state_words()) text += fmt::format("- {}: {}\n", words.word, words.legend);
  if (const std::string by_table = table_sentence(matrix); !by_table.empty()) text += "\n" + by_table + "\n";
  for (const Cell& cell : matrix.cells) text += cell_section(cell);
  return text;
}

}  // namespace dlspec::conformance
