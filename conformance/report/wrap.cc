#include <dlspec/conformance/report/wrap.h>

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/shell.h>

namespace dlspec::conformance {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Removes the first word of `text` with the blanks around it and returns it; empty at the end.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view blanks = " \n\t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, std::min(text.find_first_of(blanks), text.size()));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues_character(byte); }));
}

std::string cut(std::string_view text, std::size_t width) {
  constexpr std::string_view mark = "...";
  if (columns(text) <= width) return std::string(text);
  const std::size_t kept = width > mark.size() ? width - mark.size() : 0;
  std::size_t end = 0;
  for (std::size_t column = 0; end < text.size(); ++end) {
    if (continues_character(text[end])) continue;
    if (column++ == kept) break;
  }
  return std::string(text.substr(0, end)) + std::string(mark.substr(0, std::min(width, mark.size())));
}

std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (!lines.empty() && columns(lines.back()) + 1 + columns(word) <= width) {
      lines.back() += ' ';
      lines.back() += word;
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::vector<std::string> lines_of(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> lines = lines_of(text, width);
  if (most == 0) return {};
  if (lines.size() > most) {
    // The rest of the text goes into the last line, so that its end shows that something is missing.
    for (std::size_t i = most; i < lines.size(); ++i) lines[most - 1] += ' ' + lines[i];
    lines.resize(most);
  }
  for (std::string& line : lines) line = cut(line, width);
  return lines;
}

std::vector<std::string> lines_of_command(const std::string& command, std::size_t width) {
  constexpr std::string_view mark = " \\", indent = "  ";
  if (columns(command) <= width) return {command};
  const std::size_t room = width - std::min(width, mark.size() + indent.size());
  const std::vector<std::string> words = written_words(command);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string part = words[i];
    const bool has_value = part.starts_with("--") && i + 1 < words.size() && !words[i + 1].starts_with("--");
    if (has_value && columns(part) + 1 + columns(words[i + 1]) <= room) part += " " + words[++i];
    if (!lines.empty() && columns(lines.back()) + 1 + columns(part) + mark.size() <= width) {
      lines.back() += " " + part;
    } else {
      lines.push_back((lines.empty() ? "" : std::string(indent)) + part);
    }
  }
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) lines[i] += mark;
  return lines;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun, std::size_t width) {
  std::string lines;
  std::size_t column = begun;
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!at_start && column + 1 + columns(word) > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!at_start) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += columns(word);
    at_start = false;
  }
  return lines;
}

std::string labelled(std::string_view name, std::string_view text) {
  constexpr std::size_t behind_name = 14;
  return fmt::format("  {:<10}  {}\n", name, wrapped(text, behind_name, behind_name));
}

}  // namespace dlspec::conformance
