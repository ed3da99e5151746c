// Shared by the reports for people: names of subjects, and findings folded into groups of equal ones.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Findings with equal rule, status and observation. Pointers into the document, which must outlive them.
struct FoldedFinding {
  const Record* first = nullptr;
  std::vector<const Record*> others;
};

// Pointers into a document, in its order. The document must outlive them.
using Records = std::vector<const Record*>;
[[nodiscard]] Records records_of(const Document& document, const SubjectInfo& subject);

// The findings with one of these statuses, in the order of the statuses, then of the records.
[[nodiscard]] std::vector<FoldedFinding> fold_findings(const Records& records, std::span<const Verdict> statuses);
// The same for the records of one subject.
[[nodiscard]] std::vector<FoldedFinding> fold_findings(const Document& document, const SubjectInfo& subject,
                                                       std::span<const Verdict> statuses);

// What the records of one rule show, whatever was observed.
struct FoldedRule {
  RuleId rule{};
  Verdict worst{};    // the first of the statuses that a record has
  Records deviating;  // with one of the statuses, those with `worst` first
  Records judged;     // of the same rule, these included
};
// A rule with one of these statuses each: in the order of the statuses, then those with more cases, then in rule order.
[[nodiscard]] std::vector<FoldedRule> fold_rules(const Records& records, std::span<const Verdict> statuses);
// First those that fail, then those that only warn; a rule may do both.
[[nodiscard]] std::vector<FoldedRule> violated_rules(const Records& records);

// A reason why cases were not judged, with the number of cases; in the order of the document.
struct FoldedReason {
  std::string_view reason;  // into the document; may be empty
  std::size_t cases = 0;
};
[[nodiscard]] std::vector<FoldedReason> fold_reasons(const Records& records, Verdict status);
[[nodiscard]] std::vector<FoldedReason> fold_reasons(const Document& document, const SubjectInfo& subject,
                                                     Verdict status);

// "warn instead of fail: ...", for a record that is judged more mildly than the level of its rule; else "".
[[nodiscard]] std::string mildness(const Record& record);

// "NumPy 2.4.6", or the text of the command line when the library did not load. Sanitised by clean_text, and cut where
// it is long.
[[nodiscard]] std::string shown_name(const SubjectInfo& subject);

// A path, as of a library, without the folders that are only of this machine: "site-packages/numpy/__init__.py",
// ".../build/libmine.so"; what is no absolute path as it is. The document has the whole path.
[[nodiscard]] std::string shown_path(std::string_view path);

// The command that repeats a record, for reports that are read elsewhere: the program, and whatever it names by an
// absolute path, without the folders.
[[nodiscard]] std::string shown_command(const Record& record);

// "producer and consumer".
[[nodiscard]] std::string role_list(const SubjectInfo& subject);

// Statuses that raise the exit status; with warnings; and all statuses that reports list.
inline constexpr Verdict failing_statuses[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass};
inline constexpr Verdict finding_statuses[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass,
                                               Verdict::warn};
inline constexpr Verdict remarkable_statuses[] = {Verdict::crash, Verdict::timeout, Verdict::fail,
                                                  Verdict::xpass, Verdict::warn,    Verdict::info};

}  // namespace dlspec::conformance
