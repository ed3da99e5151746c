// The report for a terminal or a pipe.
#pragma once

#include <cstddef>
#include <string>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

inline constexpr std::size_t screen_lines = 40;

struct ConsoleOptions {
  bool color = false;           // escape sequences for a terminal
  std::size_t width = 80;       // columns
  bool verbose = false;         // every observation, case and reason; nothing is cut
  bool break_commands = false;  // break a long command after a backslash: it can be pasted all the same
  bool whole_titles = false;    // the width of the output is unknown: the titles of rules are not cut
  std::string rule_pages = {};  // what stands before "ID.md" in the links of rules; empty: no links
};

// For each subject: its verdict; its findings, folded by rule, worst first, with what their cases have in common; what
// was not judged, a line for each status; and a line with the count of every status. A subject with one violated rule
// takes at most one screen, any other at most two, unless there are more violated rules than lines: each rule is named.
// Ends with a line break.
[[nodiscard]] std::string console_report(const Document& document, const ConsoleOptions& options);

// The part of the report about one subject.
[[nodiscard]] std::string console_subject(const Document& document, const SubjectInfo& subject,
                                          const ConsoleOptions& options);

// "NumPy 2.4.6: 412 pass, 3 warn, 28 unsupported": the last line of a subject's part.
[[nodiscard]] std::string count_line(const Document& document, const SubjectInfo& subject);

}  // namespace dlspec::conformance
