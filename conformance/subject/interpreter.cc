#include <dlspec/conformance/subject/interpreter.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/worker/supervisor/tool.h>

namespace dlspec::conformance {

namespace {

constexpr auto deadline = std::chrono::seconds(30);

// The launcher of an installed package sets one of them (conformance/python/package/_command.py).
constexpr const char* own_python_variable = "DLSPEC_OWN_PYTHON";
constexpr const char* tool_folder_variable = "DLSPEC_TOOL_FOLDER";

// Answers go to descriptor 3: what a site customisation prints cannot disturb them.
constexpr const char* facts_program = R"(
import os, sys, sysconfig
facts = [sys.executable, sys.implementation.name, "%d.%d.%d" % sys.version_info[:3],
         str(sysconfig.get_config_var("SOABI")), str(bool(sysconfig.get_config_var("Py_GIL_DISABLED"))), sys.prefix]
os.write(3, ("\t".join(facts) + "\n").encode("utf-8", "surrogateescape"))
)";

constexpr const char* importable_program = R"(
import sys
names = sys.argv[1:]
sys.path[:] = [folder for folder in sys.path if folder != ""]
import importlib.util, os
def found(name):
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        return False
    return spec is not None and (spec.origin is not None or spec.loader is not None)
os.write(3, ("\t".join(name for name in names if found(name)) + "\n").encode())
)";

bool is_runnable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// A name without a slash is looked for on PATH.
std::string path_of(const std::string& named) {
  return named.find('/') != std::string::npos ? named : find_on_path(named);
}

// Too old or of another make for the extension: a sentence, or "".
std::string unfit(const Interpreter& interpreter) {
  const std::string who = interpreter.command + " (" + interpreter.implementation + " " + interpreter.version + ")";
  if (interpreter.implementation != "cpython") return who + " is not CPython; name one with --python";
  std::error_code error;
  if (interpreter.free_threaded && !std::filesystem::exists(find_resources().extension(interpreter), error)) {
    return who + " is free-threaded, and this dlspec was not built for it; build it with -DPython3_EXECUTABLE=" +
           interpreter.executable + ", or name an interpreter with a GIL with --python";
  }
  const auto parts = split_at(interpreter.version, '.');
  if (std::atoi(parts[0].c_str()) != 3 || std::atoi(parts[1].c_str()) < oldest_python_minor) {
    return fmt::format("{} is too old: dlspec needs CPython 3.{} or later; name one with --python", who,
                       oldest_python_minor);
  }
  return "";
}

}  // namespace

std::string find_on_path(const std::string& program, const std::string& without) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split_at(path ? path : "/usr/local/bin:/usr/bin:/bin", ':')) {
    if (!without.empty() && folder == without) continue;
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + program;
    if (is_runnable(candidate)) return candidate;
  }
  return "";
}

DefaultInterpreter default_interpreter() {
  if (const std::string named = variable("DLSPEC_PYTHON"); !named.empty()) return {path_of(named), "DLSPEC_PYTHON"};
  for (const char* environment : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string python = variable(environment) + "/bin/python";
    if (!variable(environment).empty() && is_runnable(python)) return {python, "the active environment"};
  }
  if (const std::string own = variable(own_python_variable); is_runnable(own)) return {own, "dlspec's environment"};
  return {find_on_path("python3", variable(tool_folder_variable)), "PATH"};
}

InterpreterChoice choose_interpreter(const std::string& named) {
  Interpreter found;
  const DefaultInterpreter meant =
      named.empty() ? default_interpreter() : DefaultInterpreter{path_of(named), "--python"};
  found.command = meant.command;
  if (found.command.empty() && meant.why == "PATH") {
    return {std::nullopt,
            fmt::format("no python3 on PATH: install Python 3.{} or later (on Debian the package python3), or name one "
                        "with --python",
                        oldest_python_minor)};
  }
  if (!is_runnable(found.command)) {
    const std::string given = named.empty() ? variable("DLSPEC_PYTHON") : named;
    return {std::nullopt, meant.why + " " + given + " names no program that can be run"};
  }
  std::error_code error;
  found.command = std::filesystem::absolute(found.command, error).string();

  const ToolResult facts =
      run_tool({{found.command, "-I", "-c", facts_program}, inherited_environment(), ""}, deadline);
  const auto parts = split_at(facts.answer, '\t');
  if (parts.size() != 6) {
    return {std::nullopt, found.command + " does not behave like a Python 3 interpreter" +
                              (facts.error.empty() ? "" : " (" + facts.error + ")") + "; name another with --python"};
  }
  found.executable = parts[0].empty() ? found.command : parts[0];
  found.implementation = parts[1];
  found.version = parts[2];
  found.abi = parts[3];
  found.free_threaded = parts[4] == "True";
  found.prefix = parts[5];
  found.named = !named.empty();
  if (named.empty()) found.command = found.executable;  // past shims that look for a version anew each time
  const std::string why = unfit(found);
  if (!why.empty()) return {std::nullopt, why};
  return {found, ""};
}

std::vector<std::string> importable(const Interpreter& interpreter, const std::vector<std::string>& modules) {
  Command command{{interpreter.command, "-c", importable_program}, inherited_environment(), ""};
  command.arguments.insert(command.arguments.end(), modules.begin(), modules.end());
  return split_at(run_tool(command, deadline).answer, '\t');
}

}  // namespace dlspec::conformance
