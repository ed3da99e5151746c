// What every command that runs subjects makes of its options.
#pragma once

#include <vector>

#include <dlspec/conformance/subject/environment.h>
#include <dlspec/conformance/worker/supervisor/schedule.h>

#include "options.h"

namespace dlspec::command {

[[nodiscard]] conformance::EnvironmentOptions environment_options(const RunOptions& options);

// Runs them all with the options' limits; shows on a terminal how far each is.
[[nodiscard]] std::vector<conformance::TaskResult> run_shown(const std::vector<conformance::Task>& tasks,
                                                             const RunOptions& options);

}  // namespace dlspec::command
