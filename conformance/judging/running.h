// Shared by the commands that run subjects: from options to a schedule.
#pragma once

#include <vector>

#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/subject/environment.h>

namespace dlspec::conformance {

[[nodiscard]] EnvironmentOptions environment_options(const JudgingOptions& options, const Listener& listener);

// Runs all tasks with the limits of the options and reports progress to the listener.
[[nodiscard]] std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, const JudgingOptions& options,
                                                const Listener& listener);

}  // namespace dlspec::conformance
