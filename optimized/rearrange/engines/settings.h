// What the environment variables of the library came to.
#pragma once

#include <dlspec/optimized/rearrange/engines/engine.h>

namespace dlspec::optimized {

struct Settings {
  const Engine* engine;  // the best available one up to DLSPEC_ISA; of all, if that is not set or ignored
  int threads;           // DLSPEC_THREADS; the processors in the affinity mask, if that is not set or ignored
  // A variable is ignored if it is set, not empty, and neither a row of engines() or a number from 1 to 256.
  bool is_isa_ignored;
  bool are_threads_ignored;
};

// From the values of DLSPEC_ISA and DLSPEC_THREADS, NULL where one is not set.
[[nodiscard]] Settings settings_from(const char* isa, const char* threads) noexcept;

// Those of this process, read once. The library prints nothing: a caller that wants a misspelt variable to be noticed
// asks here. Thread-safe.
[[nodiscard]] const Settings& settings() noexcept;

}  // namespace dlspec::optimized
