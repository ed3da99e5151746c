#ifdef __APPLE__
#include <dlspec/conformance/platform/process.h>

#include <algorithm>
#include <cstring>

#include <crt_externs.h>
#include <libproc.h>
#include <mach-o/dyld.h>
#include <sys/event.h>
#include <sys/sysctl.h>
#include <unistd.h>

namespace dlspec::conformance {

std::filesystem::path own_executable() {
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code error;
  return std::filesystem::canonical(path.c_str(), error);
}

int usable_processors() { return static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)); }

char** own_environment() { return *_NSGetEnviron(); }

int watch_process(pid_t pid) {
  const int queue = kqueue();
  struct kevent ended{};
  EV_SET(&ended, static_cast<uintptr_t>(pid), EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, nullptr);
  if (queue >= 0 && kevent(queue, &ended, 1, nullptr, 0, nullptr) != 0) {
    close(queue);
    return -1;
  }
  return queue;
}

std::uint64_t resident_bytes(pid_t pid) {
  proc_taskinfo facts{};
  const int size = proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &facts, sizeof facts);
  return size == static_cast<int>(sizeof facts) ? facts.pti_resident_size : 0;
}

// Both are for a process to do to itself here.
void restrain_process(pid_t /*pid*/) {}

// Orphans are launchd's children, whoever asks.
void adopt_orphans(bool /*adopt*/) {}

std::vector<pid_t> possible_orphans() {
  std::vector<pid_t> result(static_cast<std::size_t>(std::max(proc_listpids(PROC_UID_ONLY, getuid(), nullptr, 0), 0)) /
                            sizeof(pid_t));
  const int bytes =
      proc_listpids(PROC_UID_ONLY, getuid(), result.data(), static_cast<int>(result.size() * sizeof(pid_t)));
  result.resize(std::min(result.size(), static_cast<std::size_t>(std::max(bytes, 0)) / sizeof(pid_t)));
  std::erase(result, getpid());
  return result;
}

// KERN_PROCARGS2: the number of arguments, the path, padding, the arguments, the variables.
std::string environment_of(pid_t pid) {
  int name[] = {CTL_KERN, KERN_PROCARGS2, pid};
  std::size_t size = 0;
  if (sysctl(name, 3, nullptr, &size, nullptr, 0) != 0) return {};
  std::string text(size, '\0');
  if (sysctl(name, 3, text.data(), &size, nullptr, 0) != 0 || size < sizeof(int)) return {};
  text.resize(size);
  int count = 0;
  std::memcpy(&count, text.data(), sizeof count);
  std::size_t at = text.find('\0', sizeof count);
  at = std::min(text.find_first_not_of('\0', at), text.size());
  for (; count > 0 && at < text.size(); --count) at = std::min(text.find('\0', at), text.size() - 1) + 1;
  return text.substr(at);
}

}  // namespace dlspec::conformance
#endif
