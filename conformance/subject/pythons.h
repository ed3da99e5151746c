// Another CPython than the chosen one, for releases that do not support it. Only interpreters of the machine are used;
// none is fetched.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <dlspec/conformance/subject/adapter.h>
#include <dlspec/conformance/subject/interpreter.h>

namespace dlspec::conformance {

// The chosen interpreter where the release supports it, else the newest supported one of the machine; or a sentence
// that says what the release needs. An interpreter that --python names is never replaced.
[[nodiscard]] InterpreterChoice fitting_interpreter(const Adapter& adapter, const std::string& version,
                                                    const Interpreter& chosen);

// Paths of possible interpreters, the newest first: on PATH, of pyenv, of uv.
[[nodiscard]] std::vector<std::filesystem::path> python_candidates();

}  // namespace dlspec::conformance
