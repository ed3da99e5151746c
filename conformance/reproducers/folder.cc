#include <dlspec/conformance/reproducers/folder.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/file.h>

namespace dlspec::conformance {

namespace fs = std::filesystem;

namespace {

std::string cannot(const std::string& path, const std::string& why) { return path + " cannot be written: " + why; }

fs::path parent_of(const std::string& path) {
  const fs::path parent = fs::path(path).lexically_normal().parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0777 & ~mask;
}

}  // namespace

std::string check_new_folder(const std::string& given) {
  const std::string path = without_slash(given);
  std::error_code error;
  if (path.empty()) return "the folder for reproducers has no name";
  if (fs::is_directory(path, error)) {
    return fs::is_empty(path, error) ? "" : path + " is not empty: name a new folder for the reproducers";
  }
  if (fs::exists(fs::symlink_status(path, error))) return path + " is a file: name a new folder for the reproducers";
  const fs::path parent = parent_of(path);
  if (!fs::is_directory(parent, error)) return "there is no folder " + parent.string() + " to make " + path + " in";
  return ::access(parent.c_str(), W_OK | X_OK) == 0 ? "" : cannot(path, std::strerror(errno));
}

std::string write_folder(const std::string& given, const std::map<std::string, std::string>& files) {
  const std::string path = without_slash(given);
  std::string temporary = path + ".XXXXXX";
  if (::mkdtemp(temporary.data()) == nullptr) return cannot(path, std::strerror(errno));
  std::string wrong;
  for (const auto& [name, text] : files) {
    wrong = write_file(temporary + "/" + name, text);
    if (!wrong.empty()) break;
  }
  ::chmod(temporary.c_str(), usual_mode());
  if (wrong.empty() && ::rename(temporary.c_str(), path.c_str()) != 0) wrong = cannot(path, std::strerror(errno));
  std::error_code error;
  if (!wrong.empty()) fs::remove_all(temporary, error);
  return wrong;
}

}  // namespace dlspec::conformance
