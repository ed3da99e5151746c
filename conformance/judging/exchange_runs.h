// `dlspec matrix` as a library: every subject imports the arrays of every subject; each pair has its own worker.
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

// The subjects and cases of a run. All wrong usage is detected here.
struct ExchangeChoice {
  std::vector<Subject> subjects;
  std::vector<Case> cases;
  InterpreterChoice interpreter;
  std::string wrong_usage;
};

[[nodiscard]] ExchangeChoice choose_exchanges(const JudgingOptions& options, const Resources& resources);

// A pair of subjects with its result.
struct PairRun {
  const Subject* producer = nullptr;
  const Subject* consumer = nullptr;
  Launch launch;
  TaskResult result;

  [[nodiscard]] std::string name() const { return producer->text + (is_alone() ? "" : " to " + consumer->text); }
  [[nodiscard]] bool is_alone() const { return producer == consumer; }
};

// Runs every pair of `launches`. Blocks a pair that could not be launched, with the reason. The results point into
// `chosen`, which must outlive them.
[[nodiscard]] std::vector<PairRun> run_pairs(const ExchangeChoice& chosen, PairLaunches& launches,
                                             const JudgingOptions& options, const Listener& listener);

[[nodiscard]] Document exchange_document(const ExchangeChoice& chosen, const std::vector<PairRun>& runs,
                                         const std::vector<std::string>& requirements, const JudgingOptions& options,
                                         const Invocation& invocation);

// What prevented judgement, a sentence each. A subject that does not start in its pair with itself is a fault. Two
// subjects that start alone but not together are a result, shown in their cell. An adapter that contradicts itself is a
// fault in any pair.
[[nodiscard]] std::vector<std::string> exchange_faults(const ExchangeChoice& chosen, const std::vector<PairRun>& runs);

}  // namespace dlspec::conformance
