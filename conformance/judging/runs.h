// Launches the subjects of a run, judges them in parallel and collects the results.
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

// A subject of the run with its result.
struct SubjectRun {
  const Chosen* chosen = nullptr;
  Launch launch;
  TaskResult result;  // set by judge_all
};

// Starts the subject of this run; the error of a launch that cannot be says why.
[[nodiscard]] Launch launch(const Chosen& chosen, const Choice& choice, const JudgingOptions& options,
                            const Resources& resources, const Listener& listener);

// Creates missing environments. Stops early at an interrupt. The runs point into `choice`, which must outlive them.
[[nodiscard]] std::vector<SubjectRun> launch_all(const Choice& choice, const JudgingOptions& options,
                                                 const Resources& resources, const Listener& listener);

// Sets the results. Every record of a subject that could not be launched is blocked, or skipped where the machine lacks
// what the subject needs.
void judge_all(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Listener& listener);

// The part of the results that is not in the records.
struct RunSummary {
  std::vector<std::string> faults;  // what prevented judgement, a sentence each
  std::vector<std::string> named;   // subjects that must exercise at least one rule
  std::vector<std::string> notes;   // remarks that do not affect the exit status
};
// Turns the records of a subject that was not named and did not start into `skipped`; it does not count as a fault.
[[nodiscard]] RunSummary summarize_runs(std::vector<SubjectRun>& runs, const JudgingOptions& options,
                                        const Listener& listener);

}  // namespace dlspec::conformance
