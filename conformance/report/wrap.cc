#include <dlspec/conformance/report/wrap.h>

#include <algorithm>

#include <fmt/format.h>

namespace dlspec::conformance {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun, std::size_t width) {
  std::string lines;
  std::size_t column = begun;
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!at_start && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!at_start) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    at_start = false;
  }
  return lines;
}

std::string labelled(std::string_view name, std::string_view text) {
  constexpr std::size_t behind_name = 14;
  return fmt::format("  {:<10}  {}\n", name, wrapped(text, behind_name, behind_name));
}

}  // namespace dlspec::conformance
