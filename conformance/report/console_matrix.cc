#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/wrap.h>

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

// What a table of consumers takes: rows begin with a number and a name.
struct Columns {
  std::size_t name = 0;  // columns of the name
  std::size_t cell = 4;  // of each consumer
  std::size_t fit = 0;   // consumers in one table
};

// Where the lines are too long: cells closer together, then as few tables below each other as short names allow, and
// names as long as there is room beside them.
Columns columns_of(const Matrix& matrix, std::size_t width) {
  constexpr std::size_t number = 5, shortest_name = 16, closest = 3;
  const std::size_t consumers = matrix.subjects.size();
  Columns made;
  for (const SubjectInfo* subject : matrix.subjects) made.name = std::max(made.name, columns(shown_name(*subject)));
  if (number + made.name + made.cell * consumers > width && consumers < 100) made.cell = closest;
  const std::size_t least = number + std::min(made.name, shortest_name);
  const std::size_t most = std::max<std::size_t>(1, (width - std::min(width, least)) / made.cell);
  const std::size_t tables = (consumers + most - 1) / most;
  made.fit = (consumers + tables - 1) / tables;
  const std::size_t used = number + made.cell * made.fit;
  made.name = std::min(made.name, std::max(shortest_name, width - std::min(width, used)));
  return made;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

// Consumers `first` to `end`.
std::string part_of_table(const Matrix& matrix, const Columns& widths, std::size_t first, std::size_t end,
                          const Paint& paint) {
  std::string text = std::string(5 + widths.name, ' ');
  for (std::size_t j = first; j < end; ++j) text += fmt::format("{:>{}}", j + 1, widths.cell);
  text += '\n';
  for (std::size_t i = 0; i < matrix.subjects.size(); ++i) {
    const std::string name = cut(shown_name(*matrix.subjects[i]), widths.name);
    text += fmt::format("{:>4} {}", i + 1, padded(name, widths.name));
    for (std::size_t j = first; j < end; ++j) {
      const Cell& cell = matrix.at(i, j);
      text += std::string(widths.cell - 1, ' ') + painted(cell, words_of(cell.state).symbol, paint);
    }
    text += '\n';
  }
  return text;
}

std::string table(const Matrix& matrix, const ConsoleOptions& options) {
  const Columns widths = columns_of(matrix, options.width);
  std::string text;
  for (std::size_t first = 0; first < matrix.subjects.size(); first += widths.fit) {
    const std::size_t end = std::min(first + widths.fit, matrix.subjects.size());
    text += (text.empty() ? "" : "\n") + part_of_table(matrix, widths, first, end, Paint(options));
  }
  return text;
}

// Explains the symbols that occur.
std::string legend(const Matrix& matrix, std::size_t width) {
  std::string text = "\n";
  for (const StateWords& words : state_words()) {
    const auto count = std::count_if(matrix.cells.begin(), matrix.cells.end(),
                                     [&](const Cell& cell) { return cell.state == words.state; });
    if (count == 0) continue;
    const std::string pairs = fmt::format("{} {}", count, count == 1 ? "pair" : "pairs");
    const std::string head = fmt::format("  {}  {:<8} {:>9}  ", words.symbol, words.word, pairs);
    text += head + wrapped(words.legend, head.size(), head.size(), width) + "\n";
  }
  return text;
}

std::string pair_name(const Cell& cell) { return shown_name(*cell.producer) + " to " + shown_name(*cell.consumer); }

std::string strong_paragraph(const std::string& text, const ConsoleOptions& options) {
  return painted_phrase(paragraph(text, options.width), text,
                        [&](std::string_view part) { return Paint(options).strong(part); });
}

// The pair, then its findings; verbose: each with its pair.
std::string findings(const Cell& cell, const ConsoleOptions& options) {
  const Paint paint(options);
  std::string text;
  if (options.verbose) {
    for (const FoldedFinding& block : fold_findings(cell.records, finding_statuses))
      text += finding_block(block, pair_name(cell), paint);
    return text;
  }
  const std::vector<FoldedRule> rules = violated_rules(cell.records);
  if (rules.empty()) return "";
  return "\n" + strong_paragraph(pair_name(cell), options) + rule_blocks(rules, options, screen_lines).substr(1);
}

// Each reason once, with its first pair and the number of others.
std::string empty_cells(const Matrix& matrix, CellState state, const char* heading, const ConsoleOptions& options) {
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
    const std::string line = fmt::format("{}{}: {}", pairs.front(), more, why);
    constexpr std::size_t indent = 2, further = 4;
    text += "  " + (options.verbose ? line : wrapped(line, further, indent, options.width)) + "\n";
  }
  return text;
}

}  // namespace

std::string console_matrix(const Document& document, const ConsoleOptions& options) {
  const Matrix matrix = matrix_of(document);
  if (matrix.empty()) return "";
  std::string text = strong_paragraph(pairs_text(matrix), options) + "The row's array, imported by the column:\n\n" +
                     table(matrix, options) + legend(matrix, options.width);
  if (const std::string by_table = table_sentence(matrix); !by_table.empty())
    text += "  " + wrapped(by_table, 2, 2, options.width) + "\n";
  for (const Cell& cell : matrix.cells) text += findings(cell, options);
  text += empty_cells(matrix, CellState::refused, "Refused:", options);
  text += empty_cells(matrix, CellState::apart, "Apart:", options);
  return text;
}

}  // namespace dlspec::conformance
