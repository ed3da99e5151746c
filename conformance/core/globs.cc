#include <dlspec/conformance/core/globs.h>

#include <algorithm>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

std::vector<std::string_view> split(std::string_view globs) {
  std::vector<std::string_view> list;
  while (!globs.empty()) {
    const std::string_view glob = globs.substr(0, std::min(globs.find(' '), globs.size()));
    globs.remove_prefix(std::min(glob.size() + 1, globs.size()));
    if (!glob.empty()) list.push_back(glob);
  }
  return list;
}

}  // namespace

bool matches_globs(std::string_view globs, std::string_view text) {
  if (globs == "*") return true;  // asked of every rule of every case
  bool has_wanted = false, is_wanted = false;
  for (const std::string_view glob : split(globs)) {
    if (glob.starts_with('!')) {
      if (glob_match(glob.substr(1), text)) return false;
    } else {
      has_wanted = true;
      is_wanted = is_wanted || glob_match(glob, text);
    }
  }
  return is_wanted || !has_wanted;
}

std::vector<std::string> patterns_of(std::string_view globs) {
  std::vector<std::string> patterns;
  for (const std::string_view glob : split(globs)) patterns.emplace_back(glob.substr(glob.starts_with('!') ? 1 : 0));
  return patterns;
}

}  // namespace dlspec::conformance
