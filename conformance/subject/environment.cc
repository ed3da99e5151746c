#include <dlspec/conformance/subject/environment.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/subject/cache.h>
#include <dlspec/conformance/subject/latest.h>

namespace dlspec::conformance {

namespace {

namespace fs = std::filesystem;

constexpr const char* marker_name = "dlspec-environment";

// Written into an environment when it is complete: the file that the library was imported from, then
// what it was made for.
constexpr const char* verify_program = R"(
import importlib, importlib.metadata, os, sys
module = importlib.import_module(sys.argv[1])
file = getattr(module, "__file__", None)
if not file:
    sys.exit("error: %s is an empty package: the installation is incomplete" % sys.argv[1])
version = importlib.metadata.version(sys.argv[2])
os.write(3, ("\t".join([os.path.relpath(file, sys.prefix), version]) + "\n").encode())
)";

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "mlx[cpu]" -> "mlx"
std::string plain_name(const std::string& distribution) { return distribution.substr(0, distribution.find('[')); }

std::string interpreter_key(const Interpreter& interpreter) {
  return interpreter.executable + "|" + interpreter.version + "|" + interpreter.abi;
}

std::uint64_t fnv(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

// "1.26.0+cpu" and "1.26" name one release.
std::string release_of(std::string version) {
  version = version.substr(0, version.find('+'));
  for (char& c : version) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (version.ends_with(".0")) version.resize(version.size() - 2);
  return version;
}

class Provider {
 public:
  Provider(const Adapter& adapter, const Interpreter& interpreter, const EnvironmentOptions& options)
      : adapter_(adapter), interpreter_(interpreter), options_(options) {}

  Environment provide(const std::string& version) {
    version_ = version;
    error_ = prepare_folder(options_.cache / "environments");
    if (error_.empty() && version == "latest") resolve_latest();
    if (error_.empty()) find_or_make();
    return {(place() / "bin/python").string(), requirement(), error_};
  }

 private:
  [[nodiscard]] std::string requirement() const { return adapter_.distribution + "==" + version_; }
  [[nodiscard]] std::string display() const { return plain_name(adapter_.distribution) + " " + version_; }

  // All that the environment depends on.
  [[nodiscard]] std::string identity() const {
    std::string text = requirement();
    for (const std::string& companion : companions_of(adapter_, version_)) text += " " + companion;
    return text + "\n" + interpreter_key(interpreter_) + "\n";
  }
  [[nodiscard]] fs::path place() const {
    return options_.cache / "environments" /
           fmt::format("{}-{}-{:016x}", plain_name(adapter_.distribution), version_, fnv(identity()));
  }

  // Complete, and nothing that matters was removed since.
  [[nodiscard]] bool stands() const {
    const std::string marker = read_text(place() / marker_name);
    const std::size_t line = marker.find('\n');
    if (line == std::string::npos || marker.substr(line + 1) != identity()) return false;
    std::error_code error;
    return fs::exists(place() / marker.substr(0, line), error) && access((place() / "bin/python").c_str(), X_OK) == 0;
  }

  void find_or_make() {
    if (stands()) return;
    if (options_.offline) {
      error_ =
          display() + " for " + interpreter_.executable + " is not in the cache, and --offline forbids to fetch it";
      return;
    }
    const auto lock = lock_file(place().string() + ".lock", [&] {
      options_.notices.begin("waiting for another dlspec that fetches " + display() + " …");
      options_.notices.end("");
    });
    if (!lock) {
      error_ = "the cache folder " + options_.cache.string() + " cannot be locked";
      return;
    }
    if (!stands()) make();
  }

  void make() {
    if (options_.confirm && adapter_.size_mb >= large_download && !options_.confirm(display(), adapter_.size_mb)) {
      error_ = display() + " was not fetched: it is large; answer yes, or give --yes";
      return;
    }
    if (!find_uv()) return;
    const auto began = std::chrono::steady_clock::now();
    options_.notices.begin("fetching " + display() + " …");
    build();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    options_.notices.end(error_.empty() ? fmt::format(" {:.1f} s", took.count()) : " failed");
  }

  bool find_uv() {
    if (!uv_) uv_ = Uv::find(interpreter_, options_.cache, options_.offline, options_.notices, error_);
    return uv_.has_value();
  }

  // Under another name until it is known to be whole: a full disk can leave a package whose import succeeds.
  void build() {
    const fs::path fresh = place().string() + ".new";
    std::error_code error;
    fs::remove_all(fresh, error);
    const std::string python = (fresh / "bin/python").string();
    std::vector<std::string> install{"pip", "install", "--python", python, "--only-binary", ":all:", requirement()};
    const std::vector<std::string> companions = companions_of(adapter_, version_);
    install.insert(install.end(), companions.begin(), companions.end());
    std::string marker;
    if (step({"venv", "--python", interpreter_.executable, fresh.string()}) && step(install) &&
        verify(python, marker)) {
      const std::string wrong = write_file((fresh / marker_name).string(), marker);
      fs::remove_all(place(), error);
      fs::rename(fresh, place(), error);
      if (!wrong.empty() || error)
        error_ = display() + " could not be put into the cache: " + (error ? error.message() : wrong);
    }
    if (!error_.empty()) fs::remove_all(fresh, error);
  }

  bool step(const std::vector<std::string>& arguments) {
    const ToolResult result = uv_->run(arguments);
    if (!result.succeeded()) error_ = failure(result);
    return result.succeeded();
  }

  bool verify(const std::string& python, std::string& marker) {
    constexpr auto deadline = std::chrono::minutes(5);
    const Command command{{python, "-I", "-c", verify_program, adapter_.module, plain_name(adapter_.distribution)},
                          inherited_environment({"PYTHONPATH", "PYTHONHOME"}),
                          (options_.cache / "work").string()};
    const ToolResult result = run_tool(command, deadline);
    const std::size_t tab = result.answer.find('\t');
    if (!result.succeeded() || tab == std::string::npos) {
      // The last line of a traceback is the one that tells.
      const std::string output = error_lines(result.output);
      error_ = display() + " was installed but cannot be imported:\n" + output.substr(output.rfind('\n') + 1);
      return false;
    }
    const std::string installed = result.answer.substr(tab + 1);
    if (release_of(installed) != release_of(version_)) {
      error_ = display() + " was asked for, but " + installed + " was installed";
      return false;
    }
    marker = result.answer.substr(0, tab) + "\n" + identity();
    return true;
  }

  std::string failure(const ToolResult& result) const {
    const std::string words = result.error.empty() ? error_lines(result.output) : "uv " + result.error;
    return display() + " could not be installed for CPython " + interpreter_.version + ":\n" + words +
           "\n  check the version and the network, or give another interpreter with --python";
  }

  // --- @latest

  [[nodiscard]] fs::path memory() const { return options_.cache / "latest.json"; }
  [[nodiscard]] std::string memory_key() const { return adapter_.distribution + "|" + interpreter_key(interpreter_); }

  void resolve_latest() {
    const auto now = static_cast<std::int64_t>(std::time(nullptr));
    const auto known = recall(memory(), memory_key());
    if (known && (options_.offline || (!options_.refresh && is_fresh(*known, now)))) {
      version_ = known->version;
    } else if (options_.offline) {
      error_ = adapter_.name + "@latest was never looked up for " + interpreter_.executable +
               ", and --offline forbids to ask the index";
    } else {
      ask_index(now);
    }
  }

  void ask_index(std::int64_t now) {
    if (!find_uv()) return;
    const fs::path request = options_.cache / "work" / fmt::format("latest-{}.in", getpid());
    error_ = write_file(request.string(), adapter_.distribution + "\n");
    if (!error_.empty()) return;
    const ToolResult result =
        uv_->run({"pip", "compile", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--refresh",
                  "--only-binary", ":all:", "--python", interpreter_.executable, request.string()});
    std::error_code ignored;
    fs::remove(request, ignored);
    const std::string version = pinned_version(result.output);
    if (!result.succeeded() || version.empty()) {
      error_ = failure(result);
      return;
    }
    version_ = version;
    const auto lock = lock_file(memory().string() + ".lock", [] {});
    remember(memory(), memory_key(), {version_, now});
  }

  // From a line like "numpy==2.4.6".
  static std::string pinned_version(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t sign = line.find("==");
      if (sign == std::string::npos || line.starts_with(" ") || line.starts_with("#")) continue;
      return line.substr(sign + 2, line.find_first_of(" ;\\", sign) - sign - 2);
    }
    return "";
  }

  const Adapter& adapter_;
  const Interpreter& interpreter_;
  const EnvironmentOptions& options_;
  std::string version_;
  std::string error_;
  std::optional<Uv> uv_;
};

}  // namespace

Environment provide_environment(const Adapter& adapter, const std::string& version, const Interpreter& interpreter,
                                const EnvironmentOptions& options) {
  return Provider(adapter, interpreter, options).provide(version);
}

}  // namespace dlspec::conformance
