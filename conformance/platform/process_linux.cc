#ifdef __linux__
#include <dlspec/conformance/platform/process.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dlspec::conformance {

namespace {

std::filesystem::path of(pid_t pid) { return "/proc/" + std::to_string(pid); }

}  // namespace

std::filesystem::path own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

int usable_processors() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  return sched_getaffinity(0, sizeof usable, &usable) == 0 ? std::max(CPU_COUNT(&usable), 1) : 1;
}

char** own_environment() { return environ; }

// glibc 2.36 declares pidfd_open without extern "C".
int watch_process(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream file(of(pid) / "statm");
  std::uint64_t total = 0;
  std::uint64_t pages = 0;
  file >> total >> pages;
  return file ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void restrain_process(pid_t pid) {
  const rlimit none{0, 0};
  prlimit(pid, RLIMIT_CORE, &none, nullptr);
  std::ofstream(of(pid) / "oom_score_adj") << "1000";
}

void adopt_orphans(bool adopt) { prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1 : 0, 0, 0, 0); }

// Adopted ones are our children, which /proc lists per thread.
std::vector<pid_t> possible_orphans() {
  std::vector<pid_t> result;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(thread.path() / "children");
    pid_t pid = 0;
    while (children >> pid) result.push_back(pid);
  }
  return result;
}

std::string environment_of(pid_t pid) {
  std::ifstream file(of(pid) / "environ", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace dlspec::conformance
#endif
