#include "terminal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <unistd.h>

namespace dlspec::command {

namespace {

// Without a terminal nobody can confirm: a batch job passes --yes.
bool confirm_download(const std::string& name, std::int64_t megabytes) {
  if (isatty(STDIN_FILENO) != 1) return false;
  std::fprintf(stderr, "%s takes about %lld MB. Fetch it? [y/N] ", name.c_str(), static_cast<long long>(megabytes));
  std::string answer;
  std::getline(std::cin, answer);
  return !answer.empty() && (answer[0] == 'y' || answer[0] == 'Y');
}

conformance::Notices notices(bool quiet) {
  if (quiet) return {};
  return {[](const std::string& text) {
            std::fprintf(stderr, "%s", text.c_str());
            std::fflush(stderr);
          },
          [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }};
}

}  // namespace

bool use_color(Color color) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string(terminal) == "dumb";
  return isatty(STDOUT_FILENO) == 1 && !(no_color && *no_color) && !dumb;
}

void complain(const std::string& sentence) { std::fprintf(stderr, "dlspec: %s\n", sentence.c_str()); }

int fail_with(int status, const std::string& sentence) {
  complain(sentence);
  return status;
}

bool print(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 && written == text.size();
}

Progress::Progress(bool quiet) : live_(!quiet && isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& text) {
  if (!live_) return;
  constexpr long long pause_ms = 100;
  const std::lock_guard<std::mutex> lock(mutex_);
  const long long now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count();
  if (now - shown_at_ms_ < pause_ms) return;
  shown_at_ms_ = now;
  visible_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
}

void Progress::wipe() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (visible_) std::fputs("\r\x1b[K", stderr);
  visible_ = false;
}

conformance::Listener terminal_listener(Progress& progress, bool quiet, bool yes) {
  conformance::Listener listener;
  listener.remark = complain;
  listener.progress = [&progress](const std::string& text) { progress.show(text); };
  listener.progress_ends = [&progress] { progress.wipe(); };
  listener.notices = notices(quiet);
  if (!yes) listener.confirm = confirm_download;
  return listener;
}

}  // namespace dlspec::command
