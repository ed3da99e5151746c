// Who is told what goes on while subjects are judged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <dlspec/conformance/subject/uv.h>

namespace dlspec::conformance {

// Members may be replaced; as they are, nobody listens. `progress` is called from several threads.
struct Listener {
  std::function<void(const std::string& sentence)> remark = [](const std::string&) {};
  std::function<void(const std::string& text)> progress = [](const std::string&) {};  // takes the place of the last one
  std::function<void()> progress_ends = [] {};
  Notices notices;
  // Asked before something large is fetched: name and megabytes. Empty: nobody is asked.
  std::function<bool(const std::string& name, std::int64_t megabytes)> confirm;
};

}  // namespace dlspec::conformance
