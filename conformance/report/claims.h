// What a run claims about a subject as a whole: how much of each role was judged, and the verdict that this allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// The least share of the rules that bind a role, in percent, that must have been exercised before a run says of a
// subject that it conforms (docs/guide.md gives the reason).
inline constexpr std::uint32_t least_exercised = 50;

struct Claim {
  std::vector<RoleFigures> roles;  // that the subject implements and that the run asked
  std::size_t failing = 0;         // rules with a failure that no baseline accepts
  std::size_t accepted = 0;        // further rules with a deviation that a baseline accepts
  std::size_t warnings = 0;        // further rules with a warning

  // Enough of every role was exercised.
  [[nodiscard]] bool is_judged() const;
};
[[nodiscard]] Claim claim_of(const Document& document, const SubjectInfo& subject);

// The figures of every subject, from the records.
void fill_figures(Document& document);

// "conforms, 3 warnings"; "does not conform: 2 rules fail, 1 warning"; "is not judged".
[[nodiscard]] std::string verdict_text(const Claim& claim);

// "producer 96 %, consumer 81 % of rules exercised"; "" without a role.
[[nodiscard]] std::string exercised_text(const Claim& claim);

}  // namespace dlspec::conformance
