// dlspec matrix as a library: arrays of each subject imported by each, every pair in a worker of its own.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/pairs.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/subject/subject.h>

namespace dlspec::conformance {

// Everything that wrong usage can be found in.
struct ExchangeChoice {
  std::vector<Subject> subjects;
  std::vector<Case> cases;
  InterpreterChoice interpreter;
  std::string wrong_usage;
};

[[nodiscard]] ExchangeChoice choose_exchanges(const JudgingOptions& options, const Resources& resources);

// A pair with what became of it.
struct PairRun {
  const Subject* producer = nullptr;
  const Subject* consumer = nullptr;
  Launch launch;
  TaskResult result;

  [[nodiscard]] std::string name() const { return producer->text + (is_alone() ? "" : " to " + consumer->text); }
  [[nodiscard]] bool is_alone() const { return producer == consumer; }
};

// Every pair of `launches`, carried out or blocked for the reason why the two did not meet. Pointers lead into
// `chosen`.
[[nodiscard]] std::vector<PairRun> run_pairs(const ExchangeChoice& chosen, PairLaunches& launches,
                                             const JudgingOptions& options, const Listener& listener);

[[nodiscard]] Document exchange_document(const ExchangeChoice& chosen, const std::vector<PairRun>& runs,
                                         const std::vector<std::string>& requirements, const JudgingOptions& options,
                                         const Invocation& invocation);

// What could not be judged, a sentence each. A subject that does not start with itself cannot be judged. Two that do
// and do not come together are a result: the cell says why. What an adapter contradicts is a fault wherever it is seen.
[[nodiscard]] std::vector<std::string> exchange_faults(const ExchangeChoice& chosen, const std::vector<PairRun>& runs);

}  // namespace dlspec::conformance
