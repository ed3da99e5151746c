// `dlspec inspect` as a library: evaluates an expression in its own process.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/report/inspection.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

struct InspectionOrder {
  std::string expression;
  std::string setup;               // statements that run before it
  std::vector<std::string> paths;  // prepended to the module search path
  double timeout = 120;            // seconds
};

// The answer, or the reason for its absence. Sets `output` to the text that the process printed.
[[nodiscard]] InspectionAnswer inspect_expression(const InspectionOrder& order, const Interpreter& interpreter,
                                                  const Resources& resources, std::string& output);

}  // namespace dlspec::conformance
