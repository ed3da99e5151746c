// A share of the cases of one subject, run by one worker that is replaced when it dies. Internal to judging/.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/schedule.h>

namespace dlspec::conformance {

// The state that all slices of one subject share. Each case belongs to one slice, so only one thread writes its
// elements of `first` and `second`.
struct TaskState {
  explicit TaskState(const Task& work)
      : task(&work), first(work.cases.size()), second(work.cases.size()), before(work.cases.size()) {}

  const Task* task;
  std::vector<std::optional<Answer>> first;
  std::vector<std::optional<Answer>> second;     // of cases that were repeated in a fresh worker
  std::vector<std::vector<std::size_t>> before;  // of cases at which the worker died: those that it had answered
  std::size_t slices = 1;                        // workers among which the cases are divided; each has the whole budget
  std::atomic<std::int64_t> spent_us{0};         // time spent by all slices, in microseconds
  std::atomic<std::size_t> done{0};
};

// The results of a slice beside its answers.
struct SliceResult {
  bool all_confirmed = true;  // false: time ran out before every case that needs it was repeated
  std::optional<Ready> ready;
  std::string not_started;    // the reason why there is no worker
  bool lacks_device = false;  // the machine lacks a device, which `not_started` names
  std::string detail;
  std::chrono::duration<double> importing{};
  std::chrono::duration<double> judging{};
  bool out_of_budget = false;
  std::vector<std::string> notes;
  std::vector<std::string> untrusted;  // control cases with another outcome than the fixed one
};

// Runs the cases with index `slice`, `slice` + `slices`, … of the task.
[[nodiscard]] SliceResult run_slice(TaskState& state, std::size_t task_index, std::size_t slice, std::size_t slices,
                                    const ScheduleOptions& options);

// The answer to one case as the first that a new worker is asked. None when there is no worker, or no time left.
// `only_witness`: nothing was found of its role.
[[nodiscard]] std::optional<Answer> answer_alone(TaskState& state, std::size_t index, bool only_witness,
                                                 const ScheduleOptions& options);

}  // namespace dlspec::conformance
