// The exchanges of a document as a table: a row per producer, a column per consumer, a cell per pair.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

// The state of a cell, worst first.
enum class CellState : std::uint8_t {
  fails,    // a wrong value, a lost dtype, a crash, a hang
  warns,    // a warning, and nothing worse
  shared,   // exchanged; memory is shared in every case that shows it
  copied,   // exchanged; at least one case is a copy, or no case shows whether memory is shared
  refused,  // nothing was exchanged, and at least one case was refused
  apart,    // the two libraries did not load into one process; the cell gives the reason
  untried   // the document has no record of this pair
};

struct StateWords {
  CellState state;
  const char* symbol;  // one ASCII character
  const char* word;    // name of the state in reports
  const char* legend;  // explanation, a sentence part
};
[[nodiscard]] std::span<const StateWords> state_words();
[[nodiscard]] const StateWords& words_of(CellState state);

struct Cell {
  const SubjectInfo* producer = nullptr;
  const SubjectInfo* consumer = nullptr;
  Records records;
  CellState state = CellState::untried;
  std::size_t cases = 0;      // those that apply to the pair
  std::size_t exchanged = 0;  // cases that were exchanged without a failure
  std::size_t violated = 0;   // cases that fail; in a cell without failures, cases that warn
};

struct Matrix {
  std::vector<const SubjectInfo*> subjects;  // subjects that took part, in the order of the document
  std::vector<Cell> cells;                   // row-major: by producer, then by consumer

  [[nodiscard]] bool empty() const { return cells.empty(); }
  [[nodiscard]] const Cell& at(std::size_t producer, std::size_t consumer) const {
    return cells[producer * subjects.size() + consumer];
  }
};
// The matrix points into `document`, which must outlive it.
[[nodiscard]] Matrix matrix_of(const Document& document);

// One case of a cell.
struct ExchangedCase {
  const Record* primary = nullptr;  // the record with the exchange observation, else the first record
  Verdict status = Verdict::pass;   // the worst status of its rules
  std::string reason;               // the observation behind `status`; empty for a pass
};
[[nodiscard]] std::vector<ExchangedCase> cases_of(const Cell& cell);

// "42 of 46": exchanged or failing cases of all cases; "" where nothing was exchanged.
[[nodiscard]] std::string count_text(const Cell& cell);

// How many pairs exchange by the exchange tables that types publish, as a sentence; "" where none does.
[[nodiscard]] std::string table_sentence(const Matrix& matrix);

// Why the cell is not a clean exchange, on one line: what it violates, or the reason why nothing was exchanged.
[[nodiscard]] std::string why_text(const Cell& cell);

// "Exchanges of 16 pairs: 3 fail, 1 warn, 12 shared".
[[nodiscard]] std::string pairs_text(const Matrix& matrix);

// True when the document holds exchanges of the subject and no records of the subject by itself.
[[nodiscard]] bool has_exchanges_only(const Document& document, const SubjectInfo& subject);

// The section of each report that shows the matrix; "" for a document without exchanges.
[[nodiscard]] std::string console_matrix(const Document& document, const ConsoleOptions& options);
[[nodiscard]] std::string markdown_matrix(const Document& document);
[[nodiscard]] std::string html_matrix(const Document& document);

}  // namespace dlspec::conformance
