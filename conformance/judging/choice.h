// Which subjects a run is about, and what each is asked: everything that wrong usage can be found in.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/subject/subject.h>

#include <dlspec/conformance/judging/options.h>

namespace dlspec::conformance {

struct Chosen {
  Subject subject;
  bool named = true;  // on the command line; otherwise found, and skipped when it does not start
  std::vector<Case> cases;
};

struct Choice {
  std::vector<Chosen> subjects;
  InterpreterChoice interpreter;
  std::string wrong_usage;           // a sentence; then the rest is of no use
  std::vector<std::string> remarks;  // what was left out, and why
};

[[nodiscard]] Choice choose(const JudgingOptions& options, const Resources& resources);

}  // namespace dlspec::conformance
