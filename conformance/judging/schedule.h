// Runs the plans of all subjects on several workers at a time. The records do not depend on the number of workers.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/judging/control_cases.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/conformance/worker/supervisor/worker.h>

namespace dlspec::conformance {

// A subject that is ready to start, with its cases.
struct Task {
  std::string subject;  // the text given on the command line
  Command command;
  StartRequest start;
  std::vector<Case> cases;
  std::vector<ControlCase> controls;  // run in every worker before the first and after the last case
};

struct TaskResult {
  std::optional<Ready> ready;                 // none when the subject did not start
  std::vector<Record> records;                // one for every rule of every case, in the order of the plan
  std::vector<std::string> faults;            // what prevented judgement, a sentence each
  std::vector<std::string> notes;             // remarks that do not affect the exit status
  std::chrono::duration<double> importing{};  // of the slowest worker
  std::chrono::duration<double> judging{};    // of the slowest worker, imports not counted
  std::vector<std::string> table_calls;       // of an exchange table, by the consumer, in order
  std::string detail;                         // traceback or last output of a subject that did not start
};

struct ScheduleOptions {
  WorkerLimits limits;
  std::chrono::milliseconds budget{std::chrono::seconds(120)};  // per subject and worker, imports not counted
  unsigned jobs = 1;                                            // workers at a time, at least 1
  // Called after every case with the index of the task and its number of finished cases, from several threads.
  std::function<void(std::size_t task, std::size_t done)> progress;
};

// One result per task, in their order. After an interrupt the results are incomplete: check interrupt_signal() first.
[[nodiscard]] std::vector<TaskResult> run_tasks(std::span<const Task> tasks, const ScheduleOptions& options);

// Processors that this process may use, at most 4: the default of --jobs.
[[nodiscard]] unsigned default_jobs();

}  // namespace dlspec::conformance
