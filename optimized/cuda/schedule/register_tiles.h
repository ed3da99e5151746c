// The aligned transposes, which need no shared memory.
#pragma once

#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>

namespace dlspec::optimized::cuda {

// Completes the plan of a transpose whose elements, rows and addresses allow accesses of 8 or 16 bytes on both sides.
// Otherwise returns false and leaves the plan unchanged.
[[nodiscard]] bool plan_register_tile(const Geometry& geometry, Alignment alignment, CudaPlan& plan);

}  // namespace dlspec::optimized::cuda
