#include <dlspec/conformance/subject/verify_import.h>

#include <chrono>

#include <dlspec/conformance/core/version.h>

namespace dlspec::conformance {

namespace {

// Answers with the file that the library was imported from, and its version.
constexpr const char* verify_program = R"(
import importlib, importlib.metadata, os, sys
module = importlib.import_module(sys.argv[1])
file = getattr(module, "__file__", None)
if not file:
    sys.exit("error: %s is an empty package: the installation is incomplete" % sys.argv[1])
version = importlib.metadata.version(sys.argv[2])
os.write(3, ("\t".join([os.path.relpath(file, sys.prefix), version]) + "\n").encode())
)";

// Whether `installed` answers the requirement ==asked: 1.26.0+cpu is 1.26.
bool is_release(const std::string& installed, const std::string& asked) {
  const auto bounds = parse_bounds("==" + asked);
  return bounds ? bounds->hold(installed) : installed == asked;
}

}  // namespace

VerifiedImport verify_import(const Wanted& wanted, const std::string& python, const std::filesystem::path& work) {
  constexpr auto deadline = std::chrono::minutes(5);
  const Command command{{python, "-I", "-c", verify_program, wanted.adapter->module, package_name(*wanted.adapter)},
                        inherited_environment({"PYTHONPATH", "PYTHONHOME"}),
                        work.string()};
  const ToolResult result = run_tool(command, deadline);
  const std::size_t tab = result.answer.find('\t');
  if (!result.succeeded() || tab == std::string::npos) {
    // The last line of a traceback is the one that tells.
    const std::string output = error_lines(result.output);
    return {"",
            display_name(wanted) + " was installed but cannot be imported:\n" + output.substr(output.rfind('\n') + 1)};
  }
  const std::string installed = result.answer.substr(tab + 1);
  if (!is_release(installed, wanted.version)) {
    return {"", display_name(wanted) + " was asked for, but " + installed + " was installed"};
  }
  return {result.answer.substr(0, tab), ""};
}

}  // namespace dlspec::conformance
