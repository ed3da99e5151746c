// The exit status of a run and the sentence that goes with it, decided in one place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/verdict/record.h>

namespace dlspec::conformance {

// Exit statuses of the command. `usage` is found before any subject starts.
enum ExitStatus : int { exit_good = 0, exit_broken = 1, exit_usage = 2, exit_unjudged = 3, exit_baseline = 4 };

// All that the exit status depends on.
struct RunFacts {
  std::span<const Record> records;
  // What could not be judged, a sentence each: a subject that does not load, a report that cannot be
  // written, an adapter that contradicts itself, a plan that was not carried out whole.
  std::vector<std::string> faults;
  std::vector<std::string> named;  // subjects named on the command line: each must have exercised some rule
  bool strict = false;             // `warn` counts as `fail`
  bool baseline_misfit = false;    // a line of the baseline is stale, expired or unknown
};

struct Conclusion {
  int status = exit_good;
  std::vector<std::string> reasons;  // one sentence each, in the order 3, 1, 4; empty for 0
};
// 3 before 1 before 4: the status is the first that holds, the reasons tell all.
[[nodiscard]] Conclusion conclude(const RunFacts& facts);
[[nodiscard]] int exit_status(const RunFacts& facts);

// True when at least one rule was really judged on this subject (not merely unsupported, not
// applicable, blocked or skipped).
[[nodiscard]] bool was_exercised(std::span<const Record> records, const std::string& subject);

}  // namespace dlspec::conformance
