// The exchanges of a document as a table: producers are rows, consumers are columns, a cell is what became of a pair.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

// What a cell says at a glance, the worst first.
enum class CellState : std::uint8_t {
  fails,    // a wrong value, a lost dtype, a crash, a hang
  warns,    // a warning, and nothing worse
  shared,   // exchanged in shared memory wherever that can be told
  copied,   // exchanged, at least once as a copy; or nothing tells
  refused,  // asked, and nothing was exchanged
  apart,    // the two were not brought together; the cell says why
  untried   // the document has no such pair
};

struct StateWords {
  CellState state;
  const char* symbol;  // one ASCII character
  const char* word;    // in a cell
  const char* legend;  // a sentence part
};
[[nodiscard]] std::span<const StateWords> state_words();
[[nodiscard]] const StateWords& words_of(CellState state);

struct Cell {
  const SubjectInfo* producer = nullptr;
  const SubjectInfo* consumer = nullptr;
  Records records;
  CellState state = CellState::untried;
  std::size_t cases = 0;
  std::size_t exchanged = 0;  // cases that came about and are right
  std::size_t broken = 0;     // cases that fail, or warn in a cell that does not fail
};

struct Matrix {
  std::vector<const SubjectInfo*> subjects;  // those that took part, in the order of the document
  std::vector<Cell> cells;                   // by producer, then by consumer

  [[nodiscard]] bool empty() const { return cells.empty(); }
  [[nodiscard]] const Cell& at(std::size_t producer, std::size_t consumer) const {
    return cells[producer * subjects.size() + consumer];
  }
};
[[nodiscard]] Matrix matrix_of(const Document& document);

// One case of a cell: what was asked, what came.
struct ExchangedCase {
  const Record* primary = nullptr;  // the record that has `came`, or the first one
  Verdict status = Verdict::pass;   // the worst of its rules
  std::string reason;               // what was observed where that is not a pass
};
[[nodiscard]] std::vector<ExchangedCase> cases_of(const Cell& cell);

// "42 of 46", "3 fail", or nothing: what stands beside the word.
[[nodiscard]] std::string count_text(const Cell& cell);

// True when the subject is here for its exchanges alone.
[[nodiscard]] bool has_exchanges_only(const Document& document, const SubjectInfo& subject);

// The parts of a report that show a matrix. Empty without one.
[[nodiscard]] std::string console_matrix(const Document& document, const ConsoleOptions& options);
[[nodiscard]] std::string markdown_matrix(const Document& document);
[[nodiscard]] std::string html_matrix(const Document& document);

}  // namespace dlspec::conformance
