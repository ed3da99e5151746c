#include <dlspec/conformance/subject/pythons.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <dlspec/conformance/core/version.h>

namespace dlspec::conformance {

namespace {

namespace fs = std::filesystem;

constexpr int newest_minor = 30;  // above every released one

fs::path folder_of(const char* variable, const char* in_home) {
  const char* named = std::getenv(variable);
  if (named && *named) return named;
  const char* home = std::getenv("HOME");
  return fs::path(home ? home : "/nonexistent") / in_home;
}

// The folder's entries with this prefix, the newest version first.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return compare_versions(a.filename().string(), b.filename().string()) > 0;
  });
  return found;
}

bool fits(const std::string& bounds, const std::string& version) {
  const auto parsed = parse_bounds(bounds);
  return bounds.empty() || (parsed && parsed->hold(version));
}

}  // namespace

std::vector<fs::path> python_candidates() {
  const fs::path pyenv = folder_of("PYENV_ROOT", ".pyenv") / "versions";
  const fs::path uv = folder_of("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python");
  std::vector<fs::path> found;
  for (int minor = newest_minor; minor >= oldest_python_minor; --minor) {
    const std::string on_path = find_on_path(fmt::format("python3.{}", minor));
    if (!on_path.empty()) found.emplace_back(on_path);
    for (const fs::path& entry : entries(pyenv, fmt::format("3.{}.", minor))) found.push_back(entry / "bin/python3");
    for (const fs::path& entry : entries(uv, fmt::format("cpython-3.{}.", minor)))
      found.push_back(entry / "bin/python3");
  }
  return found;
}

InterpreterChoice fitting_interpreter(const Adapter& adapter, const std::string& version, const Interpreter& chosen) {
  const std::string bounds = python_of(adapter, version);
  if (fits(bounds, chosen.version)) return {chosen, ""};
  const std::string needs = fmt::format("{} {} needs CPython {}", adapter.distribution, version, bounds);
  if (chosen.named) return {std::nullopt, fmt::format("{}, and --python names {}", needs, chosen.version)};
  for (const fs::path& candidate : python_candidates()) {
    InterpreterChoice other = choose_interpreter(candidate.string());
    if (!other.interpreter || !fits(bounds, other.interpreter->version)) continue;
    other.interpreter->named = false;
    return other;
  }
  return {std::nullopt, fmt::format("{}, and this machine has none; python3 is {}", needs, chosen.version)};
}

}  // namespace dlspec::conformance
