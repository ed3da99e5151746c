// Callbacks for progress and remarks of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <dlspec/conformance/report/progress.h>
#include <dlspec/conformance/subject/uv.h>

namespace dlspec::conformance {

// The defaults do nothing. `progress` and `cases` are called from several threads; the others only from the caller's
// thread.
struct Listener {
  std::function<void(const std::string& sentence)> remark = [](const std::string&) {};
  std::function<void(const std::string& text)> progress = [](const std::string&) {};  // replaces the last text
  std::function<void(const ProgressFigures& figures)> cases = [](const ProgressFigures&) {};
  std::function<void()> progress_ends = [] {};
  Notices notices;
  // Confirms a large download by name and size in MB. Empty: no confirmation.
  std::function<bool(const std::string& name, std::int64_t megabytes)> confirm;
};

}  // namespace dlspec::conformance
