// Statuses of records and the exit status of a run, with the sentences that go with it, decided in one place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

// The status of one outcome under a rule: level and the table's own exceptions decide what a breach is.
[[nodiscard]] Verdict status_of(RuleId rule, const Outcome& outcome);

// What a baseline says about one record.
struct Listed {
  bool listed = false;             // a line is about this rule and case
  Verdict status = Verdict::fail;  // of that line
  bool same_observation = false;   // what was observed is what the line says
  bool newer_rule = false;         // the rule came after the baseline: no more than a warning until that is updated
};

// Whether a record is what the baseline says; everything but `unlisted` and `expected` is a misfit.
enum class Fit : std::uint8_t {
  unlisted,   // no line is about it
  expected,   // it deviates as listed
  changed,    // it deviates otherwise than listed
  gone,       // it conforms now
  not_judged  // listed, and it was not found out
};
struct UnderBaseline {
  Verdict status = Verdict::pass;
  Fit fit = Fit::unlisted;
};
// The status of a record, which was `seen` without a baseline, under one.
[[nodiscard]] UnderBaseline under_baseline(Verdict seen, const Listed& line);

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
  // Where the baseline does not fit, a sentence each: a line is stale, expired, unknown, or was not tried.
  std::vector<std::string> misfits;
};

struct Conclusion {
  int status = exit_good;
  std::vector<std::string> reasons;  // one sentence each, in the order 3, 1, 4; empty for 0
};
// 3 before 1 before 4: the status is the first that holds, the reasons tell all.
[[nodiscard]] Conclusion conclude(const RunFacts& facts);
[[nodiscard]] int exit_status(const RunFacts& facts);

// True when the record is of this subject, or of an exchange in which it had a part.
[[nodiscard]] bool is_about(const Record& record, std::string_view subject);

// True when at least one rule was really judged on this subject (not merely unsupported, not
// applicable, blocked or skipped).
[[nodiscard]] bool was_exercised(std::span<const Record> records, const std::string& subject);

}  // namespace dlspec::conformance
