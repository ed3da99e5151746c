// Callbacks for progress and remarks of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <dlspec/conformance/subject/uv.h>

namespace dlspec::conformance {

// The defaults do nothing. `progress` is called from several threads; the others only from the caller's thread.
struct Listener {
  std::function<void(const std::string& sentence)> remark = [](const std::string&) {};
  std::function<void(const std::string& text)> progress = [](const std::string&) {};  // replaces the last text
  std::function<void()> progress_ends = [] {};
  Notices notices;
  // Confirms a large download by name and size in MB. Empty: no confirmation.
  std::function<bool(const std::string& name, std::int64_t megabytes)> confirm;
};

}  // namespace dlspec::conformance
