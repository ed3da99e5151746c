// Environments for `NAME==VERSION` and `NAME@latest`: uv makes them in dlspec's cache, one for each requirement, its
// companions and the interpreter; a later run uses them without network.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <dlspec/conformance/subject/adapter.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/uv.h>

namespace dlspec::conformance {

struct EnvironmentOptions {
  std::filesystem::path cache;
  bool offline = false;  // only what is in the cache
  bool refresh = false;  // ask the index what @latest is, even within a day
  // Called before a large download with name and megabytes; false cancels it. Empty: no question.
  std::function<bool(const std::string& name, std::int64_t megabytes)> confirm;
  Notices notices;
};

// In megabytes: larger downloads are announced and need a confirmation.
inline constexpr std::int64_t large_download = 1000;

struct Environment {
  std::string python;       // the interpreter inside it
  std::string requirement;  // "numpy==1.26.4"
  std::string error;        // a sentence, and what to do; empty when it is usable
  bool conflict = false;    // the error: these cannot be installed together, or one of them does not import there
};

// An exact version: the given one, or what "latest" is now. `error` as of an environment.
struct ResolvedVersion {
  std::string version;
  std::string error;
};
[[nodiscard]] ResolvedVersion resolve_version(const Adapter& adapter, const std::string& version,
                                              const Interpreter& interpreter, const EnvironmentOptions& options);

// A library in an exact version.
struct Wanted {
  const Adapter* adapter = nullptr;
  std::string version;
};
[[nodiscard]] std::string display_name(const Wanted& wanted);  // "mlx 0.32.4"

// One environment that has all of them, each with its companions. `requirement` is empty when they are several.
[[nodiscard]] Environment provide_environment(const std::vector<Wanted>& wanted, const Interpreter& interpreter,
                                              const EnvironmentOptions& options);

// `version`: exact, or "latest".
[[nodiscard]] Environment provide_environment(const Adapter& adapter, const std::string& version,
                                              const Interpreter& interpreter, const EnvironmentOptions& options);

}  // namespace dlspec::conformance
