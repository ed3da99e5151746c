#include <dlspec/conformance/core/file.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlspec::conformance {
namespace {

std::string cannot_write(const std::string& path, int error) {
  return "cannot write " + path + ": " + std::strerror(error);
}

// 0 or errno. Closes the descriptor in either case.
int write_and_close(int descriptor, std::string_view contents) {
  int error = 0;
  while (!contents.empty() && error == 0) {
    const ssize_t written = ::write(descriptor, contents.data(), contents.size());
    if (written > 0) {
      contents.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR) {
      error = errno;
    }
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

// rename() would replace a device, pipe or terminal by a regular file; write in place instead.
std::string write_to_special(const std::string& path, std::string_view contents) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);
  const int error = write_and_close(descriptor, contents);
  return error == 0 ? "" : cannot_write(path, error);
}

// The target of a symbolic link, so that rename() keeps the link; the path itself for a new file.
std::string link_target(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
}

// The mode of the old file, or the default mode of a new one under the umask.
mode_t file_mode(const struct stat* old_file) {
  if (old_file != nullptr) return old_file->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

FileContents read_file(const std::string& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream contents;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) contents << stream.rdbuf();
  if (stream.is_open() && !stream.bad() && errno != EISDIR) return {std::move(contents).str(), ""};
  return {"", std::strerror(errno != 0 ? errno : EIO)};
}

std::string write_file(const std::string& path, std::string_view contents) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_to_special(path, contents);
  const std::string target = link_target(path);
  std::string temporary = target + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);
  ::fchmod(descriptor, file_mode(exists ? &status : nullptr));
  int error = write_and_close(descriptor, contents);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  return error == 0 ? "" : cannot_write(path, error);
}

}  // namespace dlspec::conformance
