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

inline std::atomic<std::chrono::milliseconds> spent_on_late_releases{};

// True when releases have come late so often that further ones are not waited for: a run of thousands of imports would
// take too long. One that has not come by then says nothing.
[[nodiscard]] inline bool is_known_to_be_late() {
  constexpr std::chrono::seconds enough{8};
  return spent_on_late_releases.load() > enough;
}

// The release of an import that was given up: what is tried thousands of times.
template <class Happened>
void await_release(Happened happened) {
  if (happened() || is_known_to_be_late()) return;
  const auto began = std::chrono::steady_clock::now();
  if (!happens_soon(happened)) return;
  const auto took = std::chrono::steady_clock::now() - began;
  spent_on_late_releases = spent_on_late_releases.load() + std::chrono::ceil<std::chrono::milliseconds>(took);
}

}  // namespace dlspec::conformance
