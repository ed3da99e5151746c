// A library may release on a thread of its own, a moment after it gave something up.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace dlspec::conformance {

inline std::atomic<int> missed_releases{0};

// Waits for it, at most 0.3 s; after three that never came, which `missed` counts, not any more. True when it has
// happened. Looks less often the longer it takes: to count what a full heap holds takes half a millisecond.
template <class Happened>
bool happens_soon(Happened happened, std::atomic<int>& missed = missed_releases) {
  constexpr int enough = 3;
  constexpr std::chrono::milliseconds most{300}, longest{32};
  std::chrono::milliseconds waited{0}, step{1};
  while (!happened() && missed < enough) {
    if (waited >= most) {
      ++missed;
      break;
    }
    std::this_thread::sleep_for(step);
    waited += step;
    step = std::min(2 * step, longest);
  }
  return happened();
}

}  // namespace dlspec::conformance
