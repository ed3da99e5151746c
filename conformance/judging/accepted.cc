#include <dlspec/conformance/judging/accepted.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

#include <dlspec/conformance/baseline/apply.h>

namespace dlspec::conformance {

namespace {

constexpr const char* shipped = "shipped";

std::vector<std::string> shipped_files(const Resources& resources) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(resources.baselines(), error)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc);
  return text.data();
}

}  // namespace

Accepted read_accepted(const std::string& option, const Resources& resources) {
  Accepted accepted;
  if (option.empty()) return accepted;
  const std::vector<std::string> files = option == shipped ? shipped_files(resources) : std::vector{option};
  if (files.empty()) accepted.error = "no baseline is shipped in " + resources.baselines().string();
  for (const std::string& file : files) {
    ReadBaseline read = read_baseline(file);
    if (!read.baseline) {
      accepted.error = read.error;
      return accepted;
    }
    accepted.baselines.push_back(*std::move(read.baseline));
  }
  return accepted;
}

std::vector<std::string> apply_accepted(const Accepted& accepted, Document& document) {
  if (accepted.baselines.empty()) return {};
  return apply_baselines(accepted.baselines, document, today());
}

}  // namespace dlspec::conformance
