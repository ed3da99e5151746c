#include <dlspec/conformance/subject/uv.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <unistd.h>

#include <dlspec/conformance/subject/cache.h>
#include <dlspec/conformance/subject/pip_settings.h>

namespace dlspec::conformance {

namespace {

constexpr auto version_deadline = std::chrono::seconds(30);
constexpr auto install_deadline = std::chrono::minutes(10);
constexpr auto run_deadline = std::chrono::hours(1);  // gigabytes over a slow network

// The user's settings of uv that are kept: package indexes, certificates, time limits.
constexpr std::array kept = {"UV_DEFAULT_INDEX",  "UV_INDEX",      "UV_INDEX_URL",    "UV_EXTRA_INDEX_URL",
                             "UV_FIND_LINKS",     "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST",
                             "UV_HTTP_TIMEOUT",   "UV_OFFLINE",    "UV_NO_INDEX",     "UV_KEYRING_PROVIDER",
                             "UV_INDEX_STRATEGY", "UV_HTTP_PROXY", "UV_CONFIG_FILE",  "UV_CONSTRAINT"};

bool is_kept(const std::string& name) {
  if (!name.starts_with("UV_")) return true;
  const bool credential = name.starts_with("UV_INDEX_") && (name.ends_with("_USERNAME") || name.ends_with("_PASSWORD"));
  return credential || std::find(kept.begin(), kept.end(), name) != kept.end();
}

bool has(const std::vector<std::string>& environment, const std::string& name) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const std::string& entry) { return entry.starts_with(name + "="); });
}

// A list of files or URLs, its relative paths made absolute: uv runs in another folder than the user.
std::string absolute_files(const std::string& list) {
  std::istringstream words(list);
  std::string result;
  for (std::string word; words >> word;) {
    const bool is_address = word.find("://") != std::string::npos;
    result += (result.empty() ? "" : " ") + (is_address ? word : std::filesystem::absolute(word).string());
  }
  return result;
}

constexpr std::string_view constraint_variable = "UV_CONSTRAINT=";

std::vector<std::string> uv_environment(const Interpreter& interpreter, const std::filesystem::path& cache) {
  auto environment = inherited_environment({"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME"});
  std::erase_if(environment, [](const std::string& entry) { return !is_kept(entry.substr(0, entry.find('='))); });
  const bool own_index = has(environment, "UV_DEFAULT_INDEX") || has(environment, "UV_INDEX_URL");
  for (const std::string& entry : uv_variables(pip_settings(interpreter.prefix))) {
    const std::string name = entry.substr(0, entry.find('='));
    if (!has(environment, name) && !(own_index && name == "UV_DEFAULT_INDEX")) environment.push_back(entry);
  }
  for (std::string& entry : environment) {
    if (!entry.starts_with(constraint_variable)) continue;
    entry = std::string(constraint_variable) + absolute_files(entry.substr(constraint_variable.size()));
  }
  environment.push_back("UV_CACHE_DIR=" + (cache / "uv-cache").string());
  environment.emplace_back("UV_PYTHON_DOWNLOADS=never");
  environment.emplace_back("UV_NO_PROGRESS=1");
  return environment;
}

bool answers(const std::string& program, const Command& base) {
  return run_tool({{program, "--version"}, base.environment, base.folder}, version_deadline).succeeded();
}

// Into `target`: by a virtual environment, or by pip alone where venv is not installed. "" or a sentence.
std::string install(const Interpreter& interpreter, const std::filesystem::path& target) {
  const auto environment = inherited_environment({"PYTHONPATH", "PYTHONHOME"});
  const std::filesystem::path fresh = target.string() + ".new";
  std::error_code error;
  std::filesystem::remove_all(fresh, error);
  const auto run = [&](std::vector<std::string> arguments) {
    return run_tool({std::move(arguments), environment, target.parent_path().string()}, install_deadline);
  };
  ToolResult last = run({interpreter.executable, "-m", "venv", fresh.string()});
  if (last.succeeded()) {
    last = run({(fresh / "bin/python").string(), "-m", "pip", "install", "--quiet", "uv"});
  } else {
    std::filesystem::remove_all(fresh, error);
    last = run({interpreter.executable, "-m", "pip", "install", "--quiet", "--target", fresh.string(), "uv"});
  }
  if (last.succeeded()) {
    std::filesystem::remove_all(target, error);
    std::filesystem::rename(fresh, target, error);
    if (!error) return "";
  }
  std::filesystem::remove_all(fresh, error);
  return "uv is not on PATH and could not be installed: " +
         (last.error.empty() ? error_lines(last.output) : last.error) + "\n  see whether " +
         target.parent_path().string() +
         " has room (DLSPEC_CACHE names another folder) and the network is there; or install uv"
         " (https://docs.astral.sh/uv), or Python's venv (on Debian the package python3-venv)";
}

bool names_cause(std::string_view line) {
  constexpr std::string_view starts[] = {"error", "ERROR", "hint", "Caused by", "cause", "×", "╰─▶", "├─▶"};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return line.starts_with(start); });
}

// "https://user:secret@host" -> "https://***@host"
std::string without_passwords(std::string line) {
  for (std::size_t at = line.find("://"); at != std::string::npos; at = line.find("://", at + 3)) {
    const std::size_t end = std::min(line.find_first_of("/ \t\"'`)", at + 3), line.size());
    const std::size_t sign = line.rfind('@', end);
    if (sign != std::string::npos && sign > at) line.replace(at + 3, sign - at - 3, "***");
  }
  return line;
}

}  // namespace

std::optional<Uv> Uv::find(const Interpreter& interpreter, const std::filesystem::path& cache, bool offline,
                           const Notices& notices, std::string& error) {
  Command base{{}, uv_environment(interpreter, cache), (cache / "work").string()};
  error = prepare_folder(base.folder);
  if (!error.empty()) return std::nullopt;
  const std::string on_path = find_on_path("uv");
  if (!on_path.empty() && answers(on_path, base)) return Uv(on_path, base);
  const std::string own = (cache / "uv/bin/uv").string();
  const auto lock = lock_file(cache / "uv.lock", [] {});
  if (!lock) {
    error = "the cache folder " + cache.string() + " cannot be locked";
    return std::nullopt;
  }
  if (access(own.c_str(), X_OK) == 0 && answers(own, base)) return Uv(own, base);
  if (offline) {
    error = "uv is neither on PATH nor in the cache, and --offline forbids to fetch it";
    return std::nullopt;
  }
  notices.begin("fetching uv, which makes environments …");
  error = install(interpreter, cache / "uv");
  if (error.empty() && !answers(own, base)) error = "the uv that was installed in " + own + " does not run";
  notices.end(error.empty() ? " done" : " failed");
  return error.empty() ? std::optional<Uv>(Uv(own, base)) : std::nullopt;
}

ToolResult Uv::run(const std::vector<std::string>& arguments) const {
  Command command = base_;
  command.arguments = {program_};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return run_tool(command, run_deadline);
}

std::string constraints(const Interpreter& interpreter) {
  std::string texts;
  for (const std::string& entry : uv_environment(interpreter, {})) {
    if (!entry.starts_with(constraint_variable)) continue;
    std::istringstream files(entry.substr(constraint_variable.size()));
    for (std::string name; files >> name;) {
      std::ifstream file(name, std::ios::binary);
      texts += file ? std::string{std::istreambuf_iterator<char>(file), {}} : name + "\n";
    }
  }
  return texts;
}

std::string error_lines(const std::string& output) {
  constexpr std::size_t most = 4;
  std::vector<std::string> all;
  std::vector<std::string> picked;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    line = without_passwords(line);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    all.push_back(line);
    if (names_cause(std::string_view(line).substr(begin))) picked.push_back(line);
  }
  if (picked.empty()) picked = all;
  if (picked.size() > most) picked.erase(picked.begin(), picked.end() - static_cast<std::ptrdiff_t>(most));
  std::string result;
  for (const std::string& line : picked) result += (result.empty() ? "" : "\n") + line;
  return result;
}

}  // namespace dlspec::conformance
