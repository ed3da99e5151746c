#include <dlspec/conformance/subject/launch.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <dlspec/conformance/subject/pythons.h>

namespace dlspec::conformance {

namespace {

void launch_native(const Resources& resources, Launch& launch) {
  launch.command.arguments = {resources.executable.string(), native_worker_argument};
  launch.command.environment = inherited_environment();
}

// OpenBLAS starts a thread for each processor when NumPy is imported, and these spin as long as the import takes. No
// exchange of tensors needs them. What the user has set stays.
void limit_threads(std::vector<std::string>& environment) {
  static constexpr std::string_view name = "OPENBLAS_NUM_THREADS=";
  const bool is_set = std::any_of(environment.begin(), environment.end(),
                                  [](const std::string& variable) { return variable.starts_with(name); });
  if (!is_set) environment.push_back(std::string(name) + "1");
}

void launch_python(const Subject& subject, const InterpreterChoice& choice, const Resources& resources,
                   const EnvironmentOptions& environments, Launch& launch) {
  if (!choice.interpreter) {
    launch.error = choice.error;
    return;
  }
  Interpreter interpreter = *choice.interpreter;
  if (!subject.version.empty()) {
    InterpreterChoice fitting = fitting_interpreter(*subject.adapter, subject.version, interpreter);
    if (!fitting.interpreter) {
      launch.error = fitting.error;
      launch.lacks_python = true;
      return;
    }
    interpreter = *std::move(fitting.interpreter);
  }
  std::string python = interpreter.command;
  launch.command.environment = inherited_environment();
  if (!subject.version.empty()) {
    const auto began = std::chrono::steady_clock::now();
    const Environment made = provide_environment(*subject.adapter, subject.version, interpreter, environments);
    launch.environment = std::chrono::steady_clock::now() - began;
    launch.error = made.error;
    launch.requirement = made.requirement;
    python = made.python;
    launch.command.environment = inherited_environment({"PYTHONPATH", "PYTHONHOME"});
  }
  limit_threads(launch.command.environment);
  launch.command.arguments = {python, resources.worker_script().string()};
  launch.start.native = resources.extension(interpreter).string();
}

}  // namespace

std::string missing_file(const Subject& subject) {
  std::error_code error;
  if (subject.path.empty() || std::filesystem::is_regular_file(subject.path, error)) return "";
  return "there is no file " + subject.path + "; check the path";
}

Launch launch_subject(const Subject& subject, const InterpreterChoice& interpreter, const Resources& resources,
                      const EnvironmentOptions& environments, std::uint64_t seed) {
  Launch launch;
  launch.start.kind = subject.kind;
  launch.start.path = subject.path;
  launch.start.seed = seed;
  launch.error = missing_file(subject);
  if (!launch.error.empty()) return launch;
  if (subject.kind == SubjectKind::python) {
    launch_python(subject, interpreter, resources, environments, launch);
  } else {
    launch_native(resources, launch);
  }
  return launch;
}

}  // namespace dlspec::conformance
