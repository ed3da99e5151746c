// A share of one subject's cases, run by one worker that is replaced when it dies. Internal to this room.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/schedule.h>

namespace dlspec::conformance {

// What all slices of one subject fill in together. A case belongs to one slice, so its places in the
// two lists of answers are written by one thread.
struct TaskState {
  explicit TaskState(const Task& work) : task(&work), first(work.cases.size()), second(work.cases.size()) {}

  const Task* task;
  std::vector<std::optional<Answer>> first;
  std::vector<std::optional<Answer>> second;  // of the cases that were run again in a fresh worker
  std::atomic<std::int64_t> spent_us{0};      // of the budget, by all slices
  std::atomic<std::size_t> done{0};
};

// What one slice saw beside its answers.
struct SliceResult {
  std::optional<Ready> ready;
  std::string not_started;    // why there is no worker (any more)
  bool lacks_device = false;  // not_started says which
  std::string detail;
  std::chrono::duration<double> importing{};
  std::chrono::duration<double> judging{};
  bool out_of_budget = false;
  std::vector<std::string> notes;
  std::vector<std::string> untrusted;  // what came out otherwise than known, and when
};

// Runs the cases number `slice`, `slice` + `slices`, … of the task.
[[nodiscard]] SliceResult run_slice(TaskState& state, std::size_t task_index, std::size_t slice, std::size_t slices,
                                    const ScheduleOptions& options);

}  // namespace dlspec::conformance
