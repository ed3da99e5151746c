#include "running.h"

#include <cstdio>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include <dlspec/conformance/subject/cache.h>

#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

// Without a terminal there is nobody to ask: a job says beforehand what it agrees to.
bool confirm_download(const std::string& name, std::int64_t megabytes) {
  if (isatty(STDIN_FILENO) != 1) return false;
  std::fprintf(stderr, "%s takes about %lld MB. Fetch it? [y/N] ", name.c_str(), static_cast<long long>(megabytes));
  std::string answer;
  std::getline(std::cin, answer);
  return !answer.empty() && (answer[0] == 'y' || answer[0] == 'Y');
}

// Without `progress`.
ScheduleOptions schedule_options(const RunOptions& options) {
  ScheduleOptions schedule;
  schedule.limits.case_deadline = milliseconds(options.timeout);
  schedule.limits.memory = options.memory << 20;
  schedule.budget = milliseconds(options.budget);
  schedule.jobs = options.jobs > 0 ? options.jobs : default_jobs();
  return schedule;
}

}  // namespace

EnvironmentOptions environment_options(const RunOptions& options) {
  EnvironmentOptions environments;
  environments.cache = cache_folder();
  environments.offline = options.offline;
  environments.refresh = options.refresh;
  if (!options.yes) environments.confirm = confirm_download;
  environments.notices = notices(options.quiet);
  return environments;
}

std::vector<TaskResult> run_shown(const std::vector<Task>& tasks, const RunOptions& options) {
  Progress progress(options.quiet);
  ScheduleOptions schedule = schedule_options(options);
  schedule.progress = [&](std::size_t task, std::size_t done) {
    progress.show(fmt::format("{}: {} of {} cases", tasks[task].subject, done, tasks[task].cases.size()));
  };
  std::vector<TaskResult> results = run_tasks(tasks, schedule);
  progress.wipe();
  return results;
}

}  // namespace dlspec::command
