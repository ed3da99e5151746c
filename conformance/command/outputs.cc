#include "outputs.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace dlspec::command {

std::string check_writable(const std::string& path) {
  if (path.empty()) return "";
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return path + " is a folder: name a file";
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return access(path.c_str(), W_OK) == 0
               ? ""
               : path + " cannot be written: " + std::strerror(errno);  // a device or a pipe
  }
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!std::filesystem::is_directory(folder, error))
    return "there is no folder " + folder.string() + " to write " + path + " into";
  if (access(folder.c_str(), W_OK | X_OK) != 0) return path + " cannot be written: " + std::strerror(errno);
  return "";
}

}  // namespace dlspec::command
