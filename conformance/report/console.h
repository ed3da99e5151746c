// The report for a terminal or a pipe.
#pragma once

#include <string>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

struct ConsoleOptions {
  bool color = false;            // escape sequences for a terminal
  std::size_t cases_listed = 3;  // number of further cases that a folded finding names
};

// For each subject: its name, its findings (each with rule, subject, tensor, observed, allowed, source and command),
// what it does not support, and a line with the count of every status. Findings with equal rule and observation share
// one block. Ends with a line break.
[[nodiscard]] std::string console_report(const Document& document, const ConsoleOptions& options);

// The part of the report about one subject.
[[nodiscard]] std::string console_subject(const Document& document, const SubjectInfo& subject,
                                          const ConsoleOptions& options);

// "NumPy 2.4.6: 412 pass, 3 warn, 28 unsupported": the last line of a subject's part.
[[nodiscard]] std::string count_line(const Document& document, const SubjectInfo& subject);

}  // namespace dlspec::conformance
