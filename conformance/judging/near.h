// Suggestions for mistyped rule ids.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/subject/subject.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// The first pattern of the list (matches_globs) that is about no rule; "" where each is about one.
inline std::string pattern_without_rule(std::string_view globs) {
  const auto all = dlspec::rules();
  for (const std::string& pattern : patterns_of(globs)) {
    if (std::none_of(all.begin(), all.end(), [&](const Rule& rule) { return glob_match(pattern, rule.id); }))
      return pattern;
  }
  return "";
}

// "; did you mean 'tensor.strides-not-null'?", or a pointer to `dlspec rules`.
inline std::string nearest_rule(const std::string& pattern) {
  std::size_t least = pattern.size() / 3 + 1;
  std::string nearest;
  for (const Rule& candidate : dlspec::rules()) {
    const std::size_t distance = edit_distance(pattern, candidate.id);
    if (distance < least) {
      least = distance;
      nearest = candidate.id;
    }
  }
  return nearest.empty() ? "; `dlspec rules` lists them" : "; did you mean '" + nearest + "'?";
}

}  // namespace dlspec::conformance
