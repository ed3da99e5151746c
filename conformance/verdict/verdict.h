// From the answers of workers to records with statuses.
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

// The records of one case of one subject: exactly one per rule of the case, in rule order.
struct Judged {
  std::vector<Record> records;
  std::vector<std::string> faults;  // faults of dlspec or of the adapter, a sentence each: exit status 3
};
// A crash or timeout is recorded once, under its culprit if that is a rule of the case, else under the primary rule; it
// blocks the other rules. In the variants "hostile=..." it is information. A rule is also blocked by a rule that it
// needs (rules.def) and that failed in this case. A rule that the answer leaves out is blocked and reported as a fault.
// Sets `reproduce` (see reproduce_command).
[[nodiscard]] Judged judge(const std::string& subject, const Case& work, const Answer& answer);

// False where judge() gives no record that tells of a deviation, whatever the case: a quick look at the answer alone.
[[nodiscard]] bool may_report(const Answer& answer);

// True for the statuses that tell of a deviation: fail, warn, info, crash and timeout.
[[nodiscard]] bool is_reported(Verdict status);

// True when the case must be repeated in a fresh worker before it is reported: after a crash, a timeout, or a violation
// of a lifetime rule (groups managed and capsule), which may be flaky, or of any rule in a sequence or under a struct
// that no producer may make.
[[nodiscard]] bool needs_second_run(std::span<const Record> records);

// How an observation begins that was not confirmed: the other run did not make it, or there was none.
inline constexpr std::string_view seen_once_in[] = {"in one of two runs", "in the only run that there was time for"};

// Merges two runs of one case. A crash, timeout or lifetime violation that only one run observed becomes `info`. Both
// spans hold the records of the same case in the same order.
[[nodiscard]] std::vector<Record> confirm(std::span<const Record> first, std::span<const Record> second);

// The records of a run that should have been repeated and was not, for want of time. What the second run was to confirm
// becomes `info`; a death stands.
[[nodiscard]] std::vector<Record> unconfirmed(std::span<const Record> records);

}  // namespace dlspec::conformance
