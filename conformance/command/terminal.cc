#include "terminal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include <dlspec/conformance/report/links.h>

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

// Columns of a terminal, within what a report can be fitted to; `otherwise`, which may be 0, where it is unknown.
std::size_t width_of(int descriptor, std::size_t otherwise) {
  constexpr std::size_t least = 40, most = 120;
  std::size_t width = otherwise;
  winsize size{};
  const char* columns = std::getenv("COLUMNS");
  std::size_t told = 0;
  if (columns != nullptr && std::from_chars(columns, columns + std::strlen(columns), told).ec == std::errc{}) {
    width = std::max<std::size_t>(told, 1);
  } else if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  }
  return width == 0 ? 0 : std::clamp(width, least, most);
}

// Nobody can be asked whether it understands OSC 8; these say who they are. Others show nothing of it, but some old
// ones print it.
bool shows_links() {
  for (const char* name : {"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  const char* vte = std::getenv("VTE_VERSION");
  constexpr int first_vte = 5000;  // 0.50
  if (vte != nullptr && std::atoi(vte) >= first_vte) return true;
  const char* program = std::getenv("TERM_PROGRAM");
  const char* terminal = std::getenv("TERM");
  const auto is = [](const char* value, std::initializer_list<const char*> names) {
    return value != nullptr &&
           std::any_of(names.begin(), names.end(), [&](const char* name) { return std::string_view(value) == name; });
  };
  return is(program, {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}) ||
         is(terminal, {"xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm"});
}

}  // namespace

bool use_color(Color color) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string(terminal) == "dumb";
  return isatty(STDOUT_FILENO) == 1 && !(no_color && *no_color) && !dumb;
}

bool use_unicode() {
  // The first that is set decides, as for setlocale.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    std::erase(locale, '-');
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.ends_with("utf8");
  }
  return false;
}

conformance::ConsoleOptions console_options(Color color, bool verbose) {
  conformance::ConsoleOptions options;
  options.color = use_color(color);
  constexpr std::size_t unknown = 0;
  options.whole_titles = width_of(STDOUT_FILENO, unknown) == unknown;
  options.width = width_of(STDOUT_FILENO, options.width);
  options.verbose = verbose;
  options.break_commands = isatty(STDOUT_FILENO) == 1;
  if (options.break_commands && color != Color::never && shows_links()) options.rule_pages = conformance::rule_pages;
  return options;
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
  listener.cases = [&progress, unicode = use_unicode()](const conformance::ProgressFigures& figures) {
    // One column stays free: some terminals break a line that is full.
    progress.show(conformance::progress_line(figures, width_of(STDERR_FILENO, 80) - 1, unicode));
  };
  listener.progress_ends = [&progress] { progress.wipe(); };
  listener.notices = notices(quiet);
  if (!yes) listener.confirm = confirm_download;
  return listener;
}

}  // namespace dlspec::command
