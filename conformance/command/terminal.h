// What is printed, and where: results on standard output, everything else on standard error.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>

#include <dlspec/conformance/judging/listener.h>

#include "options.h"

namespace dlspec::command {

// Whether standard output gets colours.
[[nodiscard]] bool use_color(Color color);

// One line on standard error, as "dlspec: …".
void complain(const std::string& sentence);

// False when standard output took it not whole (a full disk, a closed pipe).
bool print(const std::string& text);

// A line that says how far the run is, on a terminal only, and wiped before anything else is printed.
class Progress {
 public:
  explicit Progress(bool quiet);
  void show(const std::string& text);
  void wipe();

 private:
  std::mutex mutex_;
  bool live_;
  bool visible_ = false;
  long long shown_at_ms_ = 0;
};

// Tells a person: remarks on standard error, progress and words about fetching unless quiet. Large downloads are asked
// about on a terminal, unless `yes`. `progress` outlives the listener.
[[nodiscard]] conformance::Listener terminal_listener(Progress& progress, bool quiet, bool yes);

}  // namespace dlspec::command
