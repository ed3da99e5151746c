// dlspec inspect as a library: an expression evaluated in a process of its own.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/report/inspection.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

struct InspectionOrder {
  std::string expression;
  std::string setup;               // run before it
  std::vector<std::string> paths;  // put on the module search path
  double timeout = 120;            // seconds
};

// The answer, or why there is none. What the process printed goes to `output`.
[[nodiscard]] InspectionAnswer inspect_expression(const InspectionOrder& order, const Interpreter& interpreter,
                                                  const Resources& resources, std::string& output);

}  // namespace dlspec::conformance
