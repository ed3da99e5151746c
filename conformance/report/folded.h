// What the renderings for people have in common: who a subject is, and its findings with equal ones put together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Findings of one rule, one status and one observation. Pointers lead into the document.
struct FoldedFinding {
  const Record* first = nullptr;
  std::vector<const Record*> others;
};

// Records that belong together: pointers into a document, in its order.
using Records = std::vector<const Record*>;
[[nodiscard]] Records records_of(const Document& document, const SubjectInfo& subject);

// Those with one of these statuses: in the order of the statuses, then of the records.
[[nodiscard]] std::vector<FoldedFinding> fold_findings(const Records& records, std::span<const Verdict> statuses);
// The records of one subject with one of these statuses: in the order of the statuses, then of the document.
[[nodiscard]] std::vector<FoldedFinding> fold_findings(const Document& document, const SubjectInfo& subject,
                                                       std::span<const Verdict> statuses);

// Why cases were not judged: equal reasons together, in the order of the document.
struct FoldedReason {
  std::string_view reason;  // into the document; may be empty
  std::size_t cases = 0;
};
[[nodiscard]] std::vector<FoldedReason> fold_reasons(const Records& records, Verdict status);
[[nodiscard]] std::vector<FoldedReason> fold_reasons(const Document& document, const SubjectInfo& subject,
                                                     Verdict status);

// "NumPy 2.4.6", or what was asked for when nothing was loaded. Clean text.
[[nodiscard]] std::string shown_name(const SubjectInfo& subject);

// "producer and consumer".
[[nodiscard]] std::string role_list(const SubjectInfo& subject);

// What raises the exit status, and what is worth a look besides.
inline constexpr Verdict failing_statuses[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass};
inline constexpr Verdict remarkable_statuses[] = {Verdict::crash, Verdict::timeout, Verdict::fail,
                                                  Verdict::xpass, Verdict::warn,    Verdict::info};

}  // namespace dlspec::conformance
