#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "pages.h"

namespace dlspec::docs {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (!code && std::string_view("\\*_<>[]|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string with_links(const std::string& text) {
  static const std::regex thread(R"(\b([A-Za-z0-9.-]+/[A-Za-z0-9.-]+)#([0-9]+))");
  return std::regex_replace(text, thread, "[$&](https://github.com/$1/issues/$2)");
}

// The anchor that a heading gets: lower case, words joined by dashes, other signs dropped.
std::string anchor(std::string_view heading) {
  std::string out;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ') {
      out += '-';
    }
  }
  return out;
}

std::set<std::string> anchors_of(const std::string& text) {
  static const std::regex heading(R"((?:^|\n)#+ ([^\n]*))");
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it)
    found.insert(anchor((*it)[1].str()));
  return found;
}

// rules/a.md and ../questions.md make questions.md.
std::string joined(const std::string& from, const std::string& way) {
  std::string folder = from.substr(0, from.rfind('/') == std::string::npos ? 0 : from.rfind('/') + 1) + way;
  static const std::regex up(R"((^|/)(?!\.\.)[^/]+/\.\./)");
  for (std::string shorter;
       (shorter = std::regex_replace(folder, up, "$1", std::regex_constants::format_first_only)) != folder;) {
    folder = shorter;
  }
  return folder;
}

// Without blocks of code, in which brackets are no links.
std::string prose(const std::string& text) {
  static const std::string fence = "\n```";
  std::string out;
  std::size_t begin = 0;
  for (std::size_t open; (open = text.find(fence, begin)) != std::string::npos;) {
    const std::size_t close = text.find(fence, open + fence.size());
    out += text.substr(begin, open - begin);
    if (close == std::string::npos) return out;
    begin = close + fence.size();
  }
  return out + text.substr(begin);
}

}  // namespace

std::string markdown(std::string_view text) { return with_links(escaped(text)); }

std::string rule_link(std::string_view id, std::string_view way) { return fmt::format("[{0}]({1}{0}.md)", id, way); }

std::string broken_links(const Pages& files, bool (*exists)(const std::string& path)) {
  static const std::regex link(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  std::string complaints;
  for (const auto& [path, whole] : files) {
    const std::string text = prose(whole);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string way = (*it)[1].str();
      if (way.find("://") != std::string::npos) continue;
      const std::string target = way.empty() ? path : joined(path, way);
      const std::string section = (*it)[2].str();
      const auto file = files.find(target);
      const bool found = file != files.end() ? section.empty() || anchors_of(file->second).contains(section.substr(1))
                                             : exists(target);
      if (!found) complaints += fmt::format("{}: {}{} leads nowhere\n", path, way, section);
    }
  }
  return complaints;
}

}  // namespace dlspec::docs
