#include <dlspec/conformance/report/progress.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// "0:18", "1:02:07".
std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  constexpr std::uint64_t minute = 60, hour = 3600;
  if (whole < hour) return fmt::format("{}:{:02}", whole / minute, whole % minute);
  return fmt::format("{}:{:02}:{:02}", whole / hour, whole % hour / minute, whole % minute);
}

// The first cases say little about the rate.
std::string rate_text(const ProgressFigures& figures) {
  constexpr double least_seconds = 0.5;
  if (figures.seconds < least_seconds || figures.done < 2) return "";
  const double rate = static_cast<double>(figures.done - 1) / figures.seconds;
  constexpr double slow = 10;
  const std::string shown = rate < slow ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
  return fmt::format(", {}/s, {} left", shown, clock_text(static_cast<double>(figures.total - figures.done) / rate));
}

std::string bar(const ProgressFigures& figures, std::size_t cells, bool unicode) {
  const std::size_t full = figures.total == 0 ? 0 : cells * figures.done / figures.total;
  return "[" + repeated(unicode ? "\u2588" : "#", full) + repeated(unicode ? "\u2591" : "-", cells - full) + "]";
}

}  // namespace

std::string progress_line(const ProgressFigures& figures, std::size_t width, bool unicode) {
  ProgressFigures known = figures;
  known.done = std::min(known.done, known.total);
  constexpr std::size_t longest_subject = 24;
  const std::string subject = cut(clean_text(known.subject.substr(known.subject.rfind('/') + 1)), longest_subject);
  const std::string count = fmt::format("{} of {} cases", known.done, known.total), rate = rate_text(known);
  constexpr std::size_t gap = 2, brackets = 2, least_cells = 8, most_cells = 30;
  const std::size_t taken = columns(subject) + gap + count.size() + rate.size() + gap + brackets;
  if (taken + least_cells <= width)
    return fmt::format("{}  {}  {}{}", subject, bar(known, std::min(width - taken, most_cells), unicode), count, rate);
  const std::string text = count + rate;
  if (columns(subject) + gap + text.size() <= width) return subject + "  " + text;
  return cut(text, width);
}

}  // namespace dlspec::conformance
