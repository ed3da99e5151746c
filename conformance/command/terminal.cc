#include "terminal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace dlspec::command {

bool use_color(Color color) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string(terminal) == "dumb";
  return isatty(STDOUT_FILENO) == 1 && !(no_color && *no_color) && !dumb;
}

void complain(const std::string& sentence) { std::fprintf(stderr, "dlspec: %s\n", sentence.c_str()); }

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

conformance::Notices notices(bool quiet) {
  if (quiet) return {};
  return {[](const std::string& text) {
            std::fprintf(stderr, "%s", text.c_str());
            std::fflush(stderr);
          },
          [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }};
}

std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace dlspec::command
