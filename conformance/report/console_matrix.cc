#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

std::string painted(const Cell& cell, std::string_view text, const Paint& paint) {
  switch (cell.state) {
    case CellState::fails: return paint.status(Verdict::fail, text);
    case CellState::warns: return paint.status(Verdict::warn, text);
    case CellState::shared:
    case CellState::copied: return paint.status(Verdict::pass, text);
    default: return std::string(text);
  }
}

std::string table(const Matrix& matrix, const Paint& paint) {
  std::size_t widest = 0;
  for (const SubjectInfo* subject : matrix.subjects) widest = std::max(widest, shown_name(*subject).size());
  std::string text = fmt::format("{:>4} {:<{}}", "", "", widest);
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) text += fmt::format("{:>4}", i + 1);
  text += '\n';
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    text += fmt::format("{:>4} {:<{}}", i + 1, shown_name(*matrix.subjects[i]), widest);
    for (std::size_t j = 0; j < matrix.subjects.size(); ++j) {
      text += "   " + painted(matrix.at(i, j), words_of(matrix.at(i, j).state).symbol, paint);
    }
    text += '\n';
  }
  return text;
}

// Explains the symbols that occur.
std::string legend(const Matrix& matrix) {
  std::string text = "\n";
  for (const StateWords& words : state_words()) {
    const auto count = std::count_if(matrix.cells.begin(), matrix.cells.end(),
                                     [&](const Cell& cell) { return cell.state == words.state; });
    if (count > 0)
      text += fmt::format("  {}  {:<8} {:>3} {}  {}\n", words.symbol, words.word, count, count == 1 ? "pair " : "pairs",
                          words.legend);
  }
  return text;
}

std::string pair_name(const Cell& cell) { return shown_name(*cell.producer) + " to " + shown_name(*cell.consumer); }

// The pair, then its findings; verbose: each with its pair.
std::string findings(const Cell& cell, const ConsoleOptions& options) {
  const Paint paint(options);
  std::string text;
  if (options.verbose) {
    for (const FoldedFinding& block : fold_findings(cell.records, finding_statuses))
      text += finding_block(block, pair_name(cell), paint);
    return text;
  }
  const std::vector<FoldedRule> rules = broken_rules(cell.records);
  return rules.empty() ? "" : "\n" + paint.strong(pair_name(cell)) + rule_blocks(rules, options, screen_lines);
}

// Each reason once, with its pairs.
std::string empty_cells(const Matrix& matrix, CellState state, const char* heading) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Cell& cell : matrix.cells) {
    if (cell.state != state) continue;
    const std::string why = why_text(cell);
    const auto known =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& each) { return each.first == why; });
    if (known == reasons.end()) {
      reasons.push_back({why, {pair_name(cell)}});
    } else {
      known->second.push_back(pair_name(cell));
    }
  }
  std::string text = reasons.empty() ? "" : fmt::format("\n{}\n", heading);
  for (const auto& [why, pairs] : reasons) {
    const std::string more = pairs.size() > 1 ? fmt::format(" and {} more", pairs.size() - 1) : "";
    text += fmt::format("  {}{}: {}\n", pairs.front(), more, why);
  }
  return text;
}

}  // namespace

std::string console_matrix(const Document& document, const ConsoleOptions& options) {
  const Matrix matrix = matrix_of(document);
  if (matrix.empty()) return "";
  const Paint paint(options);
  std::string text = paint.strong(pairs_text(matrix)) + "\nThe row's array, imported by the column:\n\n" +
                     table(matrix, paint) + legend(matrix);
  if (const std::string by_table = table_sentence(matrix); !by_table.empty()) text += "  " + by_table + "\n";
  for (const Cell& cell : matrix.cells) text += findings(cell, options);
  text += empty_cells(matrix, CellState::refused, "Refused:");
  text += empty_cells(matrix, CellState::apart, "Apart:");
  return text;
}

}  // namespace dlspec::conformance
