// A helper program run to its end: the interpreter that is asked a question, uv, pip.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <dlspec/conformance/worker/supervisor/child.h>

namespace dlspec::conformance {

struct ToolResult {
  std::string error;             // it could not be started, or did not end in time: a sentence part
  std::optional<Ending> ending;  // none when `error` says more
  std::string answer;            // what it wrote on descriptor 3, at most one line
  std::string output;            // the last part of what it printed

  [[nodiscard]] bool succeeded() const { return ending && ending->exited && ending->number == 0; }
};

[[nodiscard]] ToolResult run_tool(const Command& command, std::chrono::seconds deadline);

}  // namespace dlspec::conformance
