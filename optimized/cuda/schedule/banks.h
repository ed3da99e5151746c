// The banks of shared memory: 32 of 4 bytes, each of which serves one word per cycle.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// The threads of a warp whose accesses are served at once.
[[nodiscard]] constexpr std::uint32_t threads_served(std::uint32_t width) { return width <= 4 ? 32 : 128 / width; }

// Cycles that the accesses of a walk's first step to shared memory take beyond the fewest, `begin` being where the walk
// begins there. All steps are the same but for an offset. Stops counting above `limit`.
[[nodiscard]] std::int64_t bank_conflicts(const CudaPlan& plan, const Walk& walk, std::uint32_t begin,
                                          std::int64_t limit);

}  // namespace dlspec::optimized::cuda
