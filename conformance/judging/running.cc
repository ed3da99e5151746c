#include <dlspec/conformance/judging/running.h>

#include <fmt/format.h>

#include <dlspec/conformance/subject/cache.h>

namespace dlspec::conformance {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

// All members except `progress`.
ScheduleOptions schedule_options(const JudgingOptions& options) {
  ScheduleOptions schedule;
  schedule.limits.case_deadline = milliseconds(options.timeout);
  schedule.limits.memory = options.memory << 20;
  schedule.budget = milliseconds(options.budget);
  schedule.jobs = options.jobs > 0 ? options.jobs : default_jobs();
  return schedule;
}

}  // namespace

EnvironmentOptions environment_options(const JudgingOptions& options, const Listener& listener) {
  EnvironmentOptions environments;
  environments.cache = cache_folder();
  environments.offline = options.offline;
  environments.refresh = options.refresh;
  environments.confirm = listener.confirm;
  environments.notices = listener.notices;
  return environments;
}

std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, const JudgingOptions& options,
                                  const Listener& listener) {
  ScheduleOptions schedule = schedule_options(options);
  schedule.progress = [&](std::size_t task, std::size_t done) {
    listener.progress(fmt::format("{}: {} of {} cases", tasks[task].subject, done, tasks[task].cases.size()));
  };
  std::vector<TaskResult> results = run_tasks(tasks, schedule);
  listener.progress_ends();
  return results;
}

}  // namespace dlspec::conformance
