// uv, the program that makes environments: found on PATH or installed into dlspec's cache.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/worker/supervisor/tool.h>

namespace dlspec::conformance {

// Progress for the user: `begin` starts a line ("fetching numpy 1.26.4 …"), `end` completes it (" 2.1 s").
struct Notices {
  std::function<void(const std::string&)> begin = [](const std::string&) {};
  std::function<void(const std::string&)> end = [](const std::string&) {};
};

class Uv {
 public:
  // The one on PATH that answers to --version, else the one in the cache, else (unless `offline`) a
  // fresh one is installed there with the interpreter's pip. Nothing, and a sentence in `error`.
  [[nodiscard]] static std::optional<Uv> find(const Interpreter& interpreter, const std::filesystem::path& cache,
                                              bool offline, const Notices& notices, std::string& error);

  // Runs it in a folder of the cache, with environment variables that no other project's settings can change.
  [[nodiscard]] ToolResult run(const std::vector<std::string>& arguments) const;

 private:
  Uv(std::string program, Command base) : program_(std::move(program)), base_(std::move(base)) {}
  std::string program_;
  Command base_;
};

// The texts of the constraint files of uv (UV_CONSTRAINT) or pip (`constraint`), in their order; the name of one that
// cannot be read. Like the requirements, they decide what an environment holds.
[[nodiscard]] std::string constraints(const Interpreter& interpreter);

// The last lines of a tool's output that say what went wrong, at most four, without the passwords in URLs.
[[nodiscard]] std::string error_lines(const std::string& output);

}  // namespace dlspec::conformance
