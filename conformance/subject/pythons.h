// Another CPython than the chosen one, for releases that this one cannot have. Nothing is fetched: only what the
// machine has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <dlspec/conformance/subject/adapter.h>
#include <dlspec/conformance/subject/interpreter.h>

namespace dlspec::conformance {

// The chosen interpreter where the release can have it, else the newest one of the machine that it can have. One that
// was named by --python is replaced by none. Otherwise a sentence that says what the release needs.
[[nodiscard]] InterpreterChoice fitting_interpreter(const Adapter& adapter, const std::string& version,
                                                    const Interpreter& chosen);

// Where interpreters may be, the newest first: on PATH, of pyenv, of uv.
[[nodiscard]] std::vector<std::filesystem::path> python_candidates();

}  // namespace dlspec::conformance
