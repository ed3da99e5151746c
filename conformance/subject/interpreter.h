// The Python that subjects run in.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlspec::conformance {

inline constexpr int oldest_python_minor = 9;  // dlspec's extension can be loaded from CPython 3.9 on

struct Interpreter {
  std::string command;         // what is run: an absolute path
  std::string executable;      // sys.executable
  std::string implementation;  // "cpython"
  std::string version;         // "3.11.2"
  std::string abi;             // "cpython-311-x86_64-linux-gnu"
  std::string prefix;          // sys.prefix
  bool free_threaded = false;  // it loads an extension of its own
  bool named = false;          // by --python: it is not replaced by another one
};

// An interpreter that can load dlspec's extension, or a sentence that says what to do.
struct InterpreterChoice {
  std::optional<Interpreter> interpreter;
  std::string error;
};

// Which interpreter a user means who names none.
struct DefaultInterpreter {
  std::string command;  // "" where there is none
  std::string why;      // for messages: "DLSPEC_PYTHON", "the active environment", …
};

// In this order: DLSPEC_PYTHON; the active environment (VIRTUAL_ENV, CONDA_PREFIX); the environment that dlspec is
// installed in, as its launcher says; python3 on PATH. An environment that a tool made for dlspec alone is neither.
[[nodiscard]] DefaultInterpreter default_interpreter();

// The named one, else the default. One call tells all facts.
[[nodiscard]] InterpreterChoice choose_interpreter(const std::string& named);

// The modules among `modules` that it would find, its search path as for an adapter. Nothing is
// imported, apart from the packages above a dotted name.
[[nodiscard]] std::vector<std::string> importable(const Interpreter& interpreter,
                                                  const std::vector<std::string>& modules);

// The first file of this name on PATH that may be run, or "". The folder `without` is passed over.
[[nodiscard]] std::string find_on_path(const std::string& program, const std::string& without = "");

}  // namespace dlspec::conformance
