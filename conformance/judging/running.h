// What every command that runs subjects makes of its options.
#pragma once

#include <vector>

#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/subject/environment.h>

namespace dlspec::conformance {

[[nodiscard]] EnvironmentOptions environment_options(const JudgingOptions& options, const Listener& listener);

// Runs them all with the options' limits, and tells how far each is.
[[nodiscard]] std::vector<TaskResult> run_listened(const std::vector<Task>& tasks, const JudgingOptions& options,
                                                   const Listener& listener);

}  // namespace dlspec::conformance
