// The line that shows how far a run has come.
#pragma once

#include <cstddef>
#include <string>

namespace dlspec::conformance {

struct ProgressFigures {
  std::string subject;   // of the case that was finished last
  std::size_t done = 0;  // cases of all subjects
  std::size_t total = 0;
  double seconds = 0;  // since the first case was finished
};

// The subject without its folder:
// "numpy  [######----]  1234 of 5117 cases, 210/s, 0:18 left" in at most `width` columns: the bar takes the room that
// is left, and what does not fit is left out, the bar first. Rate and time appear when they can be told.
[[nodiscard]] std::string progress_line(const ProgressFigures& figures, std::size_t width, bool unicode);

}  // namespace dlspec::conformance
