// Terminal output: results on standard output, everything else on standard error.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>

#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/report/console.h>

#include "options.h"

namespace dlspec::command {

// True when standard output gets colours; automatic follows isatty, NO_COLOR and TERM.
[[nodiscard]] bool use_color(Color color);

// True when the user's locale writes UTF-8.
[[nodiscard]] bool use_unicode();

// How reports are printed on standard output: its width (COLUMNS or the terminal's, 80 in a pipe), colours, and links
// where the terminal is known to show them.
[[nodiscard]] conformance::ConsoleOptions console_options(Color color, bool verbose);

// Prints "dlspec: SENTENCE" on standard error.
void complain(const std::string& sentence);
// Prints the sentence like complain and returns `status`.
[[nodiscard]] int fail_with(int status, const std::string& sentence);

// Prints to standard output and flushes. False on a write error (a full disk, a closed pipe).
bool print(const std::string& text);

// A progress line on standard error, only on a terminal. Wipe it before printing anything else. Thread-safe.
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

// A listener that prints remarks on standard error and, unless quiet, progress and notices about downloads. Asks before
// large downloads unless `yes`. `progress` must outlive the listener.
[[nodiscard]] conformance::Listener terminal_listener(Progress& progress, bool quiet, bool yes);

}  // namespace dlspec::command
