// What the environment variables of the library came to.
#pragma once

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/machine.h>

namespace dlspec::optimized {

struct Settings {
  const Engine* engine;  // the best available one up to DLSPEC_ISA; of all, if that is not set or ignored
  int threads;           // DLSPEC_THREADS; the processors in the affinity mask, if that is not set or ignored
  Machine machine;       // what the system reports, but for what DLSPEC_MACHINE names (machine.h)
  // A variable is ignored if it is set, not empty, and neither a row of engines(), a number from 1 to 256, nor sizes.
  bool is_isa_ignored;
  bool are_threads_ignored;
  bool is_machine_ignored;
};

// From the values of DLSPEC_ISA, DLSPEC_THREADS and DLSPEC_MACHINE, NULL where one is not set.
[[nodiscard]] Settings settings_from(const char* isa, const char* threads, const char* machine = nullptr) noexcept;

// Those of this process, read once. The library prints nothing: a caller that wants a misspelt variable to be noticed
// asks here. Thread-safe.
[[nodiscard]] const Settings& settings() noexcept;

}  // namespace dlspec::optimized
