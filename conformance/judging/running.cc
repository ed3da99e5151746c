#include <dlspec/conformance/judging/running.h>

#include <mutex>

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

// Counts the cases of all tasks. Thread-safe.
class CaseProgress {
 public:
  explicit CaseProgress(const std::vector<Task>& tasks) : tasks_(tasks) {
    for (const Task& task : tasks) figures_.total += task.cases.size();
  }

  ProgressFigures finished(std::size_t task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (figures_.done++ == 0) began_ = now;
    figures_.subject = tasks_[task].subject;
    figures_.seconds = std::chrono::duration<double>(now - began_).count();
    return figures_;
  }

 private:
  const std::vector<Task>& tasks_;
  std::mutex mutex_;
  ProgressFigures figures_;
  std::chrono::steady_clock::time_point began_;
};

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
  CaseProgress progress(tasks);
  schedule.progress = [&](std::size_t task, std::size_t) { listener.cases(progress.finished(task)); };
  std::vector<TaskResult> results = run_tasks(tasks, schedule);
  listener.progress_ends();
  return results;
}

}  // namespace dlspec::conformance
