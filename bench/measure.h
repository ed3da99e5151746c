// How bench_rearrange times implementations of one copy against each other.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "implementations.h"

namespace dlspec::bench {

struct Figures {
  double memcpy_seconds = 0;
  std::map<std::string, double> ratio;                         // rate relative to memcpy, the median of the rounds
  std::map<std::string, std::pair<double, double>> quartiles;  // first and third quartile of the same
  std::vector<std::string> order;
  double limit = 1;
};

// Measures in rounds, so that a slow phase of the machine affects all implementations, each in a new random order,
// because the previous implementation's buffers occupy the caches. Five warm-up calls: an L3 that favours lines used
// more than once takes as many.
[[nodiscard]] Figures measure(const std::vector<Implementation>& all, int rounds, int threads);

}  // namespace dlspec::bench
