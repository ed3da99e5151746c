// From what was seen to the statuses that are reported.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {

// The records of one case of one subject: exactly one for each of its rules, in their order.
struct Judged {
  std::vector<Record> records;
  std::vector<std::string> faults;  // what is our or the adapter's fault, a sentence each: exit status 3
};
// A death is recorded once, under its culprit if that is one of the case's rules, else under the primary
// rule; the other rules are blocked by it. A rule
// is blocked, too, by a rule that it needs (rules.def) and that failed in this case. Rules that the
// answer leaves out are blocked, and a fault. `reproduce` is filled in (see reproduce_command).
[[nodiscard]] Judged judge(const std::string& subject, const Case& work, const Answer& answer);

// True when the case has to be run a second time in a fresh worker before it is reported: a death, a
// deadline, or a breach of a rule about lifetime (groups managed and capsule).
[[nodiscard]] bool needs_second_run(std::span<const Record> records);

// Both runs of one case as one: what was seen in one run and refuted by the other is `info`. The
// second run must be of the same case; its records stand in the same order.
[[nodiscard]] std::vector<Record> confirm(std::span<const Record> first, std::span<const Record> second);

}  // namespace dlspec::conformance
