#include <dlspec/conformance/subject/cache.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

const char* set_variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

}  // namespace

std::filesystem::path cache_folder() {
  std::error_code error;
  if (const char* own = set_variable("DLSPEC_CACHE")) return std::filesystem::absolute(own, error);
  if (const char* xdg = set_variable("XDG_CACHE_HOME")) return std::filesystem::path(xdg) / "dlspec";
  if (const char* home = set_variable("HOME")) return std::filesystem::path(home) / ".cache/dlspec";
  return std::filesystem::temp_directory_path(error) / ("dlspec-" + std::to_string(getuid()));
}

std::string prepare_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK) != 0) error = {errno, std::generic_category()};
  if (!error) return "";
  return "the cache folder " + folder.string() + " cannot be written to (" + error.message() +
         "); name another one with DLSPEC_CACHE";
}

std::optional<Descriptor> lock_file(const std::filesystem::path& file, const std::function<void()>& waiting) {
  constexpr auto pause = std::chrono::milliseconds(100);
  Descriptor lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.valid()) return std::nullopt;
  for (bool told = false; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; std::this_thread::sleep_for(pause)) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || interrupt_signal() != 0) return std::nullopt;
    if (!std::exchange(told, true)) waiting();
  }
  return lock;
}

}  // namespace dlspec::conformance
