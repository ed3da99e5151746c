#include <dlspec/conformance/header/tokens.h>

#include <cctype>

namespace dlspec::conformance {
namespace {

bool is_word(char character) { return std::isalnum(static_cast<unsigned char>(character)) || character == '_'; }

// Whether a line marker, `# 12 "/usr/include/stdint.h" 1 3 4`, begins text of a system header: flag 3.
bool is_system(std::string_view marker) {
  const std::size_t name_ends = marker.rfind('"');
  return name_ends != std::string_view::npos && marker.find(" 3", name_ends) != std::string_view::npos;
}

// The end of a string or character literal that begins at `at`.
std::size_t end_of_literal(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (++at; at < line.size() && line[at] != quote; ++at) {
    if (line[at] == '\\') ++at;
  }
  return at + 1;
}

void add_tokens(std::string_view line, std::vector<std::string>& tokens) {
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"' || line[at] == '\'') {
      at = end_of_literal(line, at);
    } else if (is_word(line[at])) {
      std::size_t end = at;
      while (end < line.size() && is_word(line[end])) ++end;
      tokens.emplace_back(line.substr(at, end - at));
      at = end;
    } else {
      if (!std::isspace(static_cast<unsigned char>(line[at]))) tokens.emplace_back(1, line[at]);
      ++at;
    }
  }
}

}  // namespace

bool is_name(std::string_view token) {
  return !token.empty() && is_word(token[0]) && !std::isdigit(static_cast<unsigned char>(token[0]));
}

std::vector<std::string> tokens_of(std::string_view preprocessed) {
  std::vector<std::string> tokens;
  bool system = false;
  while (!preprocessed.empty()) {
    const std::size_t end = preprocessed.find('\n');
    const std::string_view line = preprocessed.substr(0, end);
    if (line.starts_with("# ")) {
      system = is_system(line);
    } else if (!system && !line.starts_with('#')) {
      add_tokens(line, tokens);
    }
    preprocessed.remove_prefix(end == std::string_view::npos ? preprocessed.size() : end + 1);
  }
  return tokens;
}

}  // namespace dlspec::conformance
