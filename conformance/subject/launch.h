// The command that starts the worker of a subject.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <dlspec/conformance/subject/environment.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/subject/subject.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/conformance/worker/supervisor/child.h>

namespace dlspec::conformance {

// The hidden first argument that makes the command a native worker.
inline constexpr const char* native_worker_argument = "--native-worker";

struct Launch {
  Command command;
  StartRequest start;
  std::string requirement;                      // "numpy==1.26.4" when it runs in an environment of ours
  std::chrono::duration<double> environment{};  // how long it took to find or make that one
  bool lacks_python = false;  // this machine has no interpreter for that release; `error` says which it needs
  std::string error;          // why it cannot be started, and what to do: a sentence; else empty
};

// A sentence when the subject's file does not exist, else "".
[[nodiscard]] std::string missing_file(const Subject& subject);

// Fetches the environment where one is needed. Only Python subjects use `interpreter`.
[[nodiscard]] Launch launch_subject(const Subject& subject, const InterpreterChoice& interpreter,
                                    const Resources& resources, const EnvironmentOptions& environments,
                                    std::uint64_t seed);

}  // namespace dlspec::conformance
