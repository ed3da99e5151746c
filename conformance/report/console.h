// The report for a terminal or a pipe.
#pragma once

#include <string>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

struct ConsoleOptions {
  bool color = false;            // escape sequences for a terminal
  std::size_t cases_listed = 3;  // how many further cases of a folded finding are named
};

// Each subject in order: who it is, what broke (the fixed order of rule, subject, tensor, observed,
// allowed, source, command), what it does not support, and a last line that counts every status.
// Findings of one rule with one observation stand in one block. Ends with a line break.
[[nodiscard]] std::string console_report(const Document& document, const ConsoleOptions& options);

// The part of one subject, for printing as soon as it was judged.
[[nodiscard]] std::string console_subject(const Document& document, const SubjectInfo& subject,
                                          const ConsoleOptions& options);

// "NumPy 2.4.6: 412 pass, 3 warn, 28 unsupported": what stands last in a subject's part.
[[nodiscard]] std::string count_line(const Document& document, const SubjectInfo& subject);

}  // namespace dlspec::conformance
