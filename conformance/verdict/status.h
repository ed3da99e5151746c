// The status of a record, and the exit status of a run with its reasons.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

// The status of an outcome of the rule. For a violation it follows from the rule's level, unless the rule table or the
// outcome overrides it.
[[nodiscard]] Verdict status_of(RuleId rule, const Outcome& outcome);

// Whether a rule was judged: unsupported, not applicable, blocked and skipped do not count.
[[nodiscard]] bool is_judged(Verdict status);

// The baseline line that applies to a record.
struct Listed {
  bool listed = false;             // there is a line for this rule and case
  Verdict status = Verdict::fail;  // the status in that line
  bool same_observation = false;   // the record was observed as in that line
  bool newer_rule = false;  // the rule is newer than the baseline: at most a warning until the baseline is updated
};

// How a record compares with the baseline. All values except `unlisted` and `expected` are mismatches.
enum class Fit : std::uint8_t {
  unlisted,   // no line for this record
  expected,   // the deviation is as listed
  changed,    // a deviation other than the listed one
  gone,       // listed, but it conforms now
  not_judged  // listed, but not judged in this run
};
struct UnderBaseline {
  Verdict status = Verdict::pass;
  Fit fit = Fit::unlisted;
};
// The status of a record under a baseline; `seen` is its status without one.
[[nodiscard]] UnderBaseline under_baseline(Verdict seen, const Listed& line);

// Exit statuses of the command. Wrong usage is detected before any subject starts.
enum ExitStatus : int { exit_good = 0, exit_violated = 1, exit_usage = 2, exit_unjudged = 3, exit_baseline = 4 };

// Everything that the exit status depends on.
struct RunFacts {
  std::span<const Record> records;
  // What prevented judgement, a sentence each: a subject that does not load, a report that cannot be written, an
  // adapter that contradicts itself, a plan that was not completed.
  std::vector<std::string> faults;
  std::vector<std::string> named;  // subjects on the command line; each must exercise at least one rule
  bool strict = false;             // `warn` counts as `fail`
  // Mismatches with the baseline, a sentence each: a line is stale, expired, unknown or was not judged.
  std::vector<std::string> misfits;
  std::vector<Role> named_roles = {};  // by --role; each that a named subject was asked in must exercise a rule
};

struct Conclusion {
  int status = exit_good;
  std::vector<std::string> reasons;  // one sentence each, in the order 3, 1, 4; empty for 0
};
// The status is the first that applies of 3, 1 and 4; the reasons cover all that apply.
[[nodiscard]] Conclusion conclude(const RunFacts& facts);
[[nodiscard]] int exit_status(const RunFacts& facts);

// True when the record belongs to this subject or to an exchange that it took part in.
[[nodiscard]] bool is_about(const Record& record, std::string_view subject);

// True when at least one rule was judged on this subject.
[[nodiscard]] bool was_exercised(std::span<const Record> records, const std::string& subject);

}  // namespace dlspec::conformance
