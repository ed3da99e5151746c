#include <dlspec/conformance/subject/environment.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/hash.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/subject/cache.h>
#include <dlspec/conformance/subject/latest.h>
#include <dlspec/conformance/subject/verify_import.h>

namespace dlspec::conformance {

namespace {

namespace fs = std::filesystem;

constexpr const char* marker_name = "dlspec-environment";

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string interpreter_key(const Interpreter& interpreter) {
  return interpreter.executable + "|" + interpreter.version + "|" + interpreter.abi;
}

class EnvironmentProvider {
 public:
  EnvironmentProvider(std::vector<Wanted> wanted, const Interpreter& interpreter, const EnvironmentOptions& options)
      : wanted_(std::move(wanted)),
        interpreter_(interpreter),
        options_(options),
        constraints_(constraints(interpreter)) {}

  Environment provide() {
    error_ = prepare_folder(options_.cache / "environments");
    for (Wanted& each : wanted_) {
      if (error_.empty() && each.version == "latest") each.version = resolve_latest(*each.adapter);
    }
    if (error_.empty()) find_or_make();
    return {(folder() / "bin/python").string(), wanted_.size() == 1 ? requirement(wanted_[0]) : "", error_, conflict_};
  }

  ResolvedVersion resolve() {
    error_ = prepare_folder(options_.cache / "environments");
    std::string version =
        error_.empty() && wanted_[0].version == "latest" ? resolve_latest(*wanted_[0].adapter) : wanted_[0].version;
    return {std::move(version), error_};
  }

 private:
  static std::string requirement(const Wanted& each) { return each.adapter->distribution + "==" + each.version; }
  [[nodiscard]] std::string display() const {
    std::string text;
    for (const Wanted& each : wanted_) {
      const bool last = &each == &wanted_.back();
      text += (text.empty() ? "" : last ? " and " : ", ") + display_name(each);
    }
    return text;
  }

  // What is installed: all requirements, then their companions.
  [[nodiscard]] std::vector<std::string> requirements() const {
    std::vector<std::string> list;
    for (const Wanted& each : wanted_) list.push_back(requirement(each));
    for (const Wanted& each : wanted_) {
      for (std::string& companion : companions_of(*each.adapter, each.version)) {
        if (std::find(list.begin(), list.end(), companion) == list.end()) list.push_back(std::move(companion));
      }
    }
    return list;
  }

  // Everything that decides what the environment holds.
  [[nodiscard]] std::string identity() const {
    return fmt::format("{}\n{}\n{}", fmt::join(requirements(), " "), interpreter_key(interpreter_), constraints_);
  }
  [[nodiscard]] fs::path folder() const {
    const std::string others = wanted_.size() > 1 ? fmt::format("-and-{}", wanted_.size() - 1) : "";
    return options_.cache / "environments" /
           fmt::format("{}-{}{}-{:016x}", package_name(*wanted_[0].adapter), wanted_[0].version, others,
                       fnv1a(identity()));
  }

  // It was completed, and its interpreter and the imported files are still there.
  [[nodiscard]] bool is_complete() const {
    const std::string marker = read_text(folder() / marker_name);
    const std::size_t line = marker.find('\n');
    if (line == std::string::npos || marker.substr(line + 1) != identity()) return false;
    const std::vector<std::string> files = split_at(marker.substr(0, line), '\t');
    std::error_code error;
    const bool are_there = std::all_of(files.begin(), files.end(),
                                       [&](const std::string& file) { return fs::exists(folder() / file, error); });
    return are_there && access((folder() / "bin/python").c_str(), X_OK) == 0;
  }

  void find_or_make() {
    if (is_complete()) return;
    if (options_.offline) {
      error_ =
          display() + " for " + interpreter_.executable + " is not in the cache, and --offline forbids to fetch it";
      return;
    }
    const auto lock = lock_file(folder().string() + ".lock", [&] {
      options_.notices.begin("waiting for another dlspec that fetches " + display() + " …");
      options_.notices.end("");
    });
    if (!lock) {
      error_ = "the cache folder " + options_.cache.string() + " cannot be locked";
      return;
    }
    if (!is_complete()) make();
  }

  void make() {
    std::int64_t size = 0;
    for (const Wanted& each : wanted_) size += each.adapter->size_mb;
    if (options_.confirm && size >= large_download && !options_.confirm(display(), size)) {
      error_ = fmt::format("{} takes about {} MB and was not fetched; answer yes, or give --yes", display(), size);
      return;
    }
    if (!find_uv()) return;
    const auto began = std::chrono::steady_clock::now();
    const std::string amount = size >= large_download ? fmt::format(", about {} MB", size) : "";
    options_.notices.begin("fetching " + display() + amount + " …");
    build();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    options_.notices.end(error_.empty() ? fmt::format(" {:.1f} s", took.count()) : " failed");
  }

  bool find_uv() {
    if (!uv_) uv_ = Uv::find(interpreter_, options_.cache, options_.offline, options_.notices, error_);
    return uv_.has_value();
  }

  // Built under another name until it is verified: a full disk can leave a package whose import succeeds.
  void build() {
    const fs::path fresh = folder().string() + ".new";
    std::error_code error;
    fs::remove_all(fresh, error);
    const std::string python = (fresh / "bin/python").string();
    std::vector<std::string> install{"pip", "install", "--python", python, "--only-binary", ":all:"};
    for (std::string& each : requirements()) install.push_back(std::move(each));
    std::string marker;
    if (step({"venv", "--python", interpreter_.executable, fresh.string()}) && step(install) &&
        verify_all(python, marker)) {
      const std::string wrong = write_file((fresh / marker_name).string(), marker);
      fs::remove_all(folder(), error);
      fs::rename(fresh, folder(), error);
      if (!wrong.empty() || error)
        error_ = display() + " could not be put into the cache: " + (error ? error.message() : wrong);
    }
    if (!error_.empty()) fs::remove_all(fresh, error);
  }

  bool step(const std::vector<std::string>& arguments) {
    const ToolResult result = uv_->run(arguments);
    if (!result.succeeded()) error_ = failure(result);
    conflict_ = result.output.find("No solution found") != std::string::npos;
    return result.succeeded();
  }

  bool verify_all(const std::string& python, std::string& marker) {
    for (const Wanted& each : wanted_) {
      const VerifiedImport verified = verify_import(each, python, options_.cache / "work");
      if (!verified.error.empty()) {
        error_ = verified.error + (wanted_.size() > 1 ? "\n  in one environment with the others" : "");
        conflict_ = true;
        return false;
      }
      marker += (marker.empty() ? "" : "\t") + verified.file;
    }
    marker += "\n" + identity();
    return true;
  }

  std::string failure(const ToolResult& result) const {
    const std::string words = result.error.empty() ? error_lines(result.output) : "uv " + result.error;
    return display() + " could not be installed for CPython " + interpreter_.version + ":\n" + words +
           "\n  check the version and the network, or give another interpreter with --python";
  }

  // --- @latest

  [[nodiscard]] fs::path memory() const { return options_.cache / "latest.json"; }
  [[nodiscard]] std::string memory_key(const Adapter& adapter) const {
    return adapter.distribution + "|" + interpreter_key(interpreter_);
  }

  // "latest" itself, and an error, when nobody can say.
  std::string resolve_latest(const Adapter& adapter) {
    const auto now = static_cast<std::int64_t>(std::time(nullptr));
    const auto known = recall(memory(), memory_key(adapter));
    if (known && (options_.offline || (!options_.refresh && is_fresh(*known, now)))) return known->version;
    if (!options_.offline) return ask_index(adapter, now);
    error_ = adapter.name + "@latest was never looked up for " + interpreter_.executable +
             ", and --offline forbids to ask the index";
    return "latest";
  }

  std::string ask_index(const Adapter& adapter, std::int64_t now) {
    if (!find_uv()) return "latest";
    const fs::path request = options_.cache / "work" / fmt::format("latest-{}.in", getpid());
    error_ = write_file(request.string(), adapter.distribution + "\n");
    if (!error_.empty()) return "latest";
    const ToolResult result =
        uv_->run({"pip", "compile", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--refresh",
                  "--only-binary", ":all:", "--python", interpreter_.executable, request.string()});
    std::error_code ignored;
    fs::remove(request, ignored);
    std::string version = pinned_version(result.output);
    if (!result.succeeded() || version.empty()) {
      error_ = failure(result);
      return "latest";
    }
    const auto lock = lock_file(memory().string() + ".lock", [] {});
    remember(memory(), memory_key(adapter), {version, now});
    return version;
  }

  // From a line like "numpy==2.4.6".
  static std::string pinned_version(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t sign = line.find("==");
      if (sign == std::string::npos || line.starts_with(' ') || line.starts_with('#')) continue;
      return line.substr(sign + 2, line.find_first_of(" ;\\", sign) - sign - 2);
    }
    return "";
  }

  std::vector<Wanted> wanted_;
  const Interpreter& interpreter_;
  const EnvironmentOptions& options_;
  std::string constraints_;
  std::string error_;
  bool conflict_ = false;
  std::optional<Uv> uv_;
};

}  // namespace

std::string display_name(const Wanted& wanted) { return package_name(*wanted.adapter) + " " + wanted.version; }

ResolvedVersion resolve_version(const Adapter& adapter, const std::string& version, const Interpreter& interpreter,
                                const EnvironmentOptions& options) {
  return EnvironmentProvider({{&adapter, version}}, interpreter, options).resolve();
}

Environment provide_environment(const std::vector<Wanted>& wanted, const Interpreter& interpreter,
                                const EnvironmentOptions& options) {
  return EnvironmentProvider(wanted, interpreter, options).provide();
}

Environment provide_environment(const Adapter& adapter, const std::string& version, const Interpreter& interpreter,
                                const EnvironmentOptions& options) {
  return provide_environment({{&adapter, version}}, interpreter, options);
}

}  // namespace dlspec::conformance
