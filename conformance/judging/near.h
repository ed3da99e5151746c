// Suggestions for mistyped rule ids.
#pragma once

#include <algorithm>
#include <string>

#include <dlspec/conformance/subject/subject.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

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
