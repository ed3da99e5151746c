#include <dlspec/conformance/platform/spawning.h>

#include <charconv>
#include <filesystem>
#include <string>

#include <dlfcn.h>

namespace dlspec::conformance {

namespace {

#ifdef __linux__
constexpr const char* open_descriptors = "/proc/self/fd";
#else
constexpr const char* open_descriptors = "/dev/fd";
#endif

}  // namespace

void close_from(posix_spawn_file_actions_t& actions, int first) {
  if (close_others != 0) return;
  // Since glibc 2.34; looked up at run time, so that the program runs on older ones as well.
  using CloseFrom = int (*)(posix_spawn_file_actions_t*, int);
  static const auto all_at_once =
      reinterpret_cast<CloseFrom>(dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addclosefrom_np"));
  if (all_at_once) {
    all_at_once(&actions, first);
  } else {
    close_each_from(actions, first);
  }
}

// What other threads open from now on is closed at exec: all of dlspec's own descriptors are. To close a number that is
// not open any more is no error for posix_spawn.
void close_each_from(posix_spawn_file_actions_t& actions, int first) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(open_descriptors, error)) {
    const std::string name = entry.path().filename().string();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number >= first) posix_spawn_file_actions_addclose(&actions, number);
  }
}

bool start_in(posix_spawn_file_actions_t& actions, const std::string& folder) {
  // Since glibc 2.29.
  using ChangeFolder = int (*)(posix_spawn_file_actions_t*, const char*);
  static const auto change =
      reinterpret_cast<ChangeFolder>(dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addchdir_np"));
  return change && change(&actions, folder.c_str()) == 0;
}

std::vector<std::string> by_shell(const std::string& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"/bin/sh", "-c", R"(cd -- "$0" && exec "$@")", folder};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace dlspec::conformance
