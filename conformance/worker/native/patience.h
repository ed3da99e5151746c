// A library may release on a thread of its own, a moment after it gave something up.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace dlspec::conformance {

inline std::atomic<int> missed_releases{0};

// Waits for it, at most 0.3 s; after three that never came, which `missed` counts, not any more. True when it has
// happened.
template <class Happened>
bool happens_soon(Happened happened, std::atomic<int>& missed = missed_releases) {
  constexpr int enough = 3;
  for (int waits = 0; !happened() && missed < enough; ++waits) {
    if (waits == 300) {
      ++missed;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return happened();
}

}  // namespace dlspec::conformance
