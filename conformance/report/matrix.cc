#include <dlspec/conformance/report/matrix.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/report/console_parts.h>

namespace dlspec::conformance {
namespace {

bool is_failing(Verdict status) {
  return std::find(std::begin(failing_statuses), std::end(failing_statuses), status) != std::end(failing_statuses);
}

// Order of statuses within a case: failures over warnings, judged over not judged.
int weight(Verdict status) {
  switch (status) {
    case Verdict::crash:
    case Verdict::timeout: return 7;
    case Verdict::fail:
    case Verdict::xpass: return 6;
    case Verdict::warn: return 5;
    case Verdict::xfail: return 4;
    case Verdict::info: return 3;
    case Verdict::pass: return 2;
    case Verdict::unsupported: return 1;
    case Verdict::blocked:
    case Verdict::skipped:
    case Verdict::not_applicable: break;
  }
  return 0;
}

CellState state_of(const Cell& cell, std::span<const ExchangedCase> cases) {
  const auto any = [&](auto test) { return std::any_of(cases.begin(), cases.end(), test); };
  if (cases.empty()) return CellState::untried;
  if (any([](const ExchangedCase& each) { return is_failing(each.status); })) return CellState::fails;
  if (any([](const ExchangedCase& each) { return each.status == Verdict::warn; })) return CellState::warns;
  if (cell.exchanged == 0) {
    const bool asked = any([](const ExchangedCase& each) { return each.status == Verdict::unsupported; });
    return asked ? CellState::refused : CellState::apart;
  }
  const auto has_memory = [&](std::string_view where) {
    return std::any_of(cell.records.begin(), cell.records.end(), [&](const Record* record) {
      return record->observation && record->observation->memory == where;
    });
  };
  return has_memory("shared") && !has_memory("copied") ? CellState::shared : CellState::copied;
}

void count(Cell& cell) {
  const std::vector<ExchangedCase> cases = cases_of(cell);
  cell.cases = static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [](const ExchangedCase& each) { return each.status != Verdict::not_applicable; }));
  for (const ExchangedCase& each : cases) {
    cell.exchanged += weight(each.status) >= weight(Verdict::pass) && !is_failing(each.status) ? 1 : 0;
  }
  cell.state = state_of(cell, cases);
  for (const ExchangedCase& each : cases) {
    cell.violated += cell.state == CellState::fails ? is_failing(each.status) : each.status == Verdict::warn;
  }
}

}  // namespace

std::span<const StateWords> state_words() {
  static constexpr StateWords table[] = {
      {CellState::fails, "!", "fails", "a wrong value, a lost dtype, a crash or a hang"},
      {CellState::warns, "w", "warns", "exchanged, with a warning"},
      {CellState::shared, "=", "shared", "exchanged, in shared memory wherever that can be told"},
      {CellState::copied, "+", "copied", "exchanged, as a copy at least once, or nothing tells"},
      {CellState::refused, "-", "refused", "nothing was exchanged; the cell says why"},
      {CellState::apart, "x", "apart", "not in one process; the cell says why"},
      {CellState::untried, ".", "untried", "this pair is not in the results"},
  };
  return table;
}

const StateWords& words_of(CellState state) { return state_words()[static_cast<std::size_t>(state)]; }

std::vector<ExchangedCase> cases_of(const Cell& cell) {
  std::vector<ExchangedCase> cases;
  std::map<std::string_view, std::size_t> places;
  for (const Record* record : cell.records) {
    const auto [place, is_new] = places.insert({record->case_id, cases.size()});
    if (is_new) cases.push_back({record, record->status, record->observed});
    ExchangedCase& known = cases[place->second];
    if (record->observation) known.primary = record;
    if (weight(record->status) > weight(known.status)) {
      known.status = record->status;
      known.reason = record->observed;
    }
  }
  return cases;
}

Matrix matrix_of(const Document& document) {
  Matrix matrix;
  std::set<std::string_view> taking_part;
  std::map<std::pair<std::string_view, std::string_view>, Records> pairs;
  for (const Record& record : document.results) {
    if (record.role != Role::exchange) continue;
    taking_part.insert({record.producer, record.consumer});
    pairs[{record.producer, record.consumer}].push_back(&record);
  }
  for (const SubjectInfo& subject : document.subjects) {
    if (taking_part.contains(subject.subject)) matrix.subjects.push_back(&subject);
  }
  for (const SubjectInfo* producer : matrix.subjects) {
    for (const SubjectInfo* consumer : matrix.subjects) {
      Cell cell{producer, consumer, std::move(pairs[{producer->subject, consumer->subject}])};
      count(cell);
      matrix.cells.push_back(std::move(cell));
    }
  }
  return matrix;
}

std::string count_text(const Cell& cell) {
  switch (cell.state) {
    case CellState::fails:
    case CellState::warns: return fmt::format("{} of {}", cell.violated, cell.cases);
    case CellState::shared:
    case CellState::copied: return fmt::format("{} of {}", cell.exchanged, cell.cases);
    case CellState::refused:
    case CellState::apart:
    case CellState::untried: break;
  }
  return "";
}

std::string table_sentence(const Matrix& matrix) {
  const auto count_of = [&](std::string_view sides) {
    return std::count_if(matrix.cells.begin(), matrix.cells.end(), [&](const Cell& cell) {
      return std::any_of(cell.records.begin(), cell.records.end(), [&](const Record* record) {
        return record->observation && record->observation->by_table == sides;
      });
    });
  };
  const auto both = count_of("both");
  const auto consumer = count_of("consumer");
  if (both + consumer == 0) return "";
  return fmt::format("By exchange table: {} {} on both sides, {} on the consumer's alone.", both,
                     both == 1 ? "pair" : "pairs", consumer);
}

std::string why_text(const Cell& cell) {
  std::string why;
  const auto add = [&](const std::string& first, std::size_t all, const char* what) {
    why = first + (all > 1 ? fmt::format(" (and {} more {})", all - 1, all == 2 ? what : std::string(what) + "s") : "");
  };
  if (cell.state == CellState::fails || cell.state == CellState::warns) {
    const std::vector<FoldedRule> rules = violated_rules(cell.records);
    if (!rules.empty()) add(rule(rules.front().rule).id, rules.size(), "rule");
  } else if (cell.state == CellState::refused || cell.state == CellState::apart) {
    for (const Verdict status : {Verdict::blocked, Verdict::skipped, Verdict::unsupported}) {
      const std::vector<FoldedReason> reasons = fold_reasons(cell.records, status);
      if (why.empty() && !reasons.empty()) add(on_one_line(reasons.front().reason), reasons.size(), "reason");
    }
  }
  return why;
}

std::string pairs_text(const Matrix& matrix) {
  std::string text =
      fmt::format("Exchanges of {} {}", matrix.cells.size(), matrix.cells.size() == 1 ? "pair" : "pairs");
  const char* separator = ": ";
  for (const StateWords& words : state_words()) {
    const auto count = std::count_if(matrix.cells.begin(), matrix.cells.end(),
                                     [&](const Cell& cell) { return cell.state == words.state; });
    if (count == 0) continue;
    const bool is_verb = words.state == CellState::fails || words.state == CellState::warns;
    const std::string word = words.word;
    text += fmt::format("{}{} {}", separator, count, is_verb && count > 1 ? word.substr(0, word.size() - 1) : word);
    separator = ", ";
  }
  return text;
}

bool has_exchanges_only(const Document& document, const SubjectInfo& subject) {
  bool exchanges = false;
  for (const Record& record : document.results) {
    if (record.subject == subject.subject) return false;
    exchanges = exchanges || record.producer == subject.subject || record.consumer == subject.subject;
  }
  return exchanges;
}

}  // namespace dlspec::conformance
