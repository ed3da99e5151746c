// Subjects launched, judged side by side, and what that came to.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/judging/choice.h>
#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

// One subject of the run, with what became of it.
struct SubjectRun {
  const Chosen* chosen = nullptr;
  Launch launch;
  TaskResult result;  // empty when it could not be launched
};

// Fetches environments where there is need. Ends early at an interrupt.
[[nodiscard]] std::vector<SubjectRun> launch_all(const Choice& choice, const JudgingOptions& options,
                                                 const Resources& resources, const Listener& listener);

// Fills in the results. Of a subject that could not be launched every planned record is blocked for the launch's
// reason, or skipped where the machine lacks what the subject needs.
void judge_all(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Listener& listener);

// What counts for the exit status, and what is only said.
struct Gathered {
  std::vector<std::string> faults;  // what could not be judged, a sentence each
  std::vector<std::string> named;   // subjects that must have exercised some rule
  std::vector<std::string> notes;
};
// A subject that was not named and did not start counts for nothing: its records become `skipped`.
[[nodiscard]] Gathered gather(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Listener& listener);

}  // namespace dlspec::conformance
