#include <dlspec/conformance/judging/outputs.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/report/formats.h>

namespace dlspec::conformance {

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

std::string check_writable(const Reports& reports) {
  std::map<std::string, std::string> taken;
  for (const auto& [format, path] : reports) {
    std::string complaint = check_writable(path);
    std::error_code error;
    const bool replaced =
        !path.empty() && (!std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error));
    if (complaint.empty() && replaced && !taken.insert({path, format}).second) {
      complaint = "--" + taken[path] + " and --" + format + " cannot both be written to " + path;
    }
    if (!complaint.empty()) return complaint;
  }
  return "";
}

std::vector<std::string> write_reports(const Document& document, const Reports& reports) {
  std::vector<std::string> faults;
  for (const ReportFormat& format : formats()) {
    const auto asked = reports.find(format.name);
    if (asked == reports.end() || asked->second.empty()) continue;
    std::string wrong = write_file(asked->second, format.render(document));
    if (!wrong.empty()) faults.push_back(std::move(wrong));
  }
  return faults;
}

}  // namespace dlspec::conformance
