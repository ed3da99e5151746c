// What every command that runs subjects makes of its options.
#pragma once

#include <dlspec/conformance/subject/environment.h>
#include <dlspec/conformance/worker/supervisor/schedule.h>

#include "options.h"

namespace dlspec::command {

[[nodiscard]] conformance::EnvironmentOptions environment_options(const RunOptions& options);
// Without `progress`.
[[nodiscard]] conformance::ScheduleOptions schedule_options(const RunOptions& options);

}  // namespace dlspec::command
