// The plans of all subjects, carried out by several workers at a time. The records do not depend on
// how many.
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
#include <dlspec/conformance/judging/known.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/conformance/worker/supervisor/worker.h>

namespace dlspec::conformance {

// One subject, ready to be started, and what it is to be asked.
struct Task {
  std::string subject;  // the text given on the command line
  Command command;
  StartRequest start;
  std::vector<Case> cases;
  std::vector<KnownCase> known;  // asked of every worker first and last
};

struct TaskResult {
  std::optional<Ready> ready;                 // none when the subject never started
  std::vector<Record> records;                // one for every rule of every case, in the order of the plan
  std::vector<std::string> faults;            // what could not be judged, and by whose fault: a sentence each
  std::vector<std::string> notes;             // what is worth saying but changes nothing
  std::chrono::duration<double> importing{};  // by the slowest of its workers
  std::chrono::duration<double> judging{};    // likewise, imports not counted
  std::string detail;                         // a traceback, or the end of what a subject printed that never started
};

struct ScheduleOptions {
  WorkerLimits limits;
  std::chrono::milliseconds budget{std::chrono::seconds(120)};  // of a subject, imports not counted
  unsigned jobs = 1;                                            // workers at a time, at least 1
  // Told after every case: which task, how many of its cases are done. Called from several threads.
  std::function<void(std::size_t task, std::size_t done)> progress;
};

// One result for each task, in their order. After an interrupt the results are worthless: ask
// interrupt_signal() first.
[[nodiscard]] std::vector<TaskResult> run_tasks(std::span<const Task> tasks, const ScheduleOptions& options);

// Processors that this process may use, at most 4: the default of --jobs.
[[nodiscard]] unsigned default_jobs();

}  // namespace dlspec::conformance
