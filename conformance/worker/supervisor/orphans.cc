#include <dlspec/conformance/worker/supervisor/orphans.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <sys/wait.h>

namespace dlspec::conformance {

namespace {

// /proc lists children per thread.
std::vector<pid_t> own_children() {
  std::vector<pid_t> result;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(thread.path() / "children");
    pid_t pid = 0;
    while (children >> pid) result.push_back(pid);
  }
  return result;
}

bool environment_holds(pid_t pid, const std::string& mark) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return ('\0' + text).find('\0' + mark + '\0') != std::string::npos;
}

}  // namespace

void kill_orphans(const std::string& mark) {
  constexpr int rounds = 20;  // a process becomes our child only when its parent is dead
  for (int round = 0; round < rounds; ++round) {
    bool found = false;
    for (const pid_t pid : own_children()) {
      if (!environment_holds(pid, mark)) continue;
      found = true;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    if (!found) return;
  }
}

}  // namespace dlspec::conformance
