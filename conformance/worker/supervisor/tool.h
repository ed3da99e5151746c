// Runs a helper program to its end: a Python interpreter, uv, pip.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <dlspec/conformance/worker/supervisor/child.h>

namespace dlspec::conformance {

struct ToolResult {
  std::string error;             // a sentence part when it did not start or did not end in time
  std::optional<Ending> ending;  // none when `error` is set
  std::string answer;            // the first line that it wrote to descriptor 3
  std::string output;            // the end of what it printed

  [[nodiscard]] bool succeeded() const { return ending && ending->exited && ending->number == 0; }
};

[[nodiscard]] ToolResult run_tool(const Command& command, std::chrono::seconds deadline);

}  // namespace dlspec::conformance
