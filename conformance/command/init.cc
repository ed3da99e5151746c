// dlspec init: writes an adapter for an installed library, and runs the smoke test on it.
#include <chrono>
#include <cstdio>
#include <filesystem>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/tool.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

using namespace dlspec::conformance;

int init(const InitOptions& options, const Invocation& invocation) {
  constexpr auto deadline = std::chrono::minutes(5);
  const std::string file = options.file.empty() ? options.module + "_adapter.py" : options.file;
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    return fail_with(exit_usage, file + " is there already; name another one with --output, or remove it");
  }
  const InterpreterChoice choice = choose_interpreter(options.python);
  if (!choice.interpreter) return fail_with(exit_unjudged, choice.error);
  const Resources resources = find_resources();
  const ToolResult probe = run_tool({{choice.interpreter->command, resources.init_script().string(), options.module,
                                      file, resources.extension(*choice.interpreter).string()},
                                     inherited_environment(),
                                     ""},
                                    deadline);
  if (!print(clean_text(probe.output))) return fail_with(exit_unjudged, "standard output cannot be written");
  if (!probe.succeeded()) {
    const std::string how = probe.error.empty() ? describe(*probe.ending) : probe.error;
    return fail_with(exit_unjudged, probe.answer.empty() ? "the probe of " + options.module + " " + how : probe.answer);
  }
  RunOptions smoke;
  smoke.subjects = {std::filesystem::absolute(file, error).string()};
  smoke.python = options.python;
  smoke.smoke = true;
  return run(smoke, invocation);
}

}  // namespace dlspec::command
