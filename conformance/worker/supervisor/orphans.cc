#include <dlspec/conformance/worker/supervisor/orphans.h>

#include <csignal>

#include <sys/wait.h>

#include <dlspec/conformance/platform/process.h>

namespace dlspec::conformance {

namespace {

bool environment_holds(pid_t pid, const std::string& mark) {
  return ('\0' + environment_of(pid)).find('\0' + mark + '\0') != std::string::npos;
}

}  // namespace

void kill_orphans(const std::string& mark) {
  constexpr int rounds = 20;  // a process becomes our child only when its parent is dead
  for (int round = 0; round < rounds; ++round) {
    bool found = false;
    for (const pid_t pid : possible_orphans()) {
      if (!environment_holds(pid, mark)) continue;
      found = true;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    if (!found) return;
  }
}

}  // namespace dlspec::conformance
