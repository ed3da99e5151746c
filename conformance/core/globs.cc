#include <dlspec/conformance/core/globs.h>

#include <algorithm>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// Removes the next pattern from the list and returns it; "" where blanks follow each other.
std::string_view take_glob(std::string_view& globs) {
  const std::string_view glob = globs.substr(0, globs.find(' '));
  globs.remove_prefix(std::min(glob.size() + 1, globs.size()));
  return glob;
}

}  // namespace

bool matches_globs(std::string_view globs, std::string_view text) {
  bool has_wanted = false, is_wanted = false;
  while (!globs.empty()) {
    const std::string_view glob = take_glob(globs);
    if (glob.starts_with('!')) {
      if (glob_match(glob.substr(1), text)) return false;
    } else if (!glob.empty()) {
      has_wanted = true;
      is_wanted = is_wanted || glob_match(glob, text);
    }
  }
  return is_wanted || !has_wanted;
}

std::vector<std::string> patterns_of(std::string_view globs) {
  std::vector<std::string> patterns;
  while (!globs.empty()) {
    const std::string_view glob = take_glob(globs);
    if (!glob.empty()) patterns.emplace_back(glob.substr(glob.starts_with('!') ? 1 : 0));
  }
  return patterns;
}

}  // namespace dlspec::conformance
