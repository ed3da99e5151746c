// The subjects of a run and their plans. All wrong usage is detected here.
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
  bool named = true;  // given on the command line; false: found installed, and skipped if it does not start
  std::vector<Case> cases;
};

struct Choice {
  std::vector<Chosen> subjects;
  InterpreterChoice interpreter;
  std::string wrong_usage;           // a sentence; if set, the other members are incomplete
  std::vector<std::string> remarks;  // subjects that were left out, with the reason
};

[[nodiscard]] Choice choose(const JudgingOptions& options, const Resources& resources);

}  // namespace dlspec::conformance
