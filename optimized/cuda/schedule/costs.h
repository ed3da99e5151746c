// What a plan costs, so that the cheaper of two is taken. Counted from the plan itself, in bytes of traffic per byte of
// payload: a contiguous copy costs 2. The weights were measured on an H200; peers of other sizes have the same ratios
// of DRAM, caches and instructions within a factor of two.
#pragma once

#include <dlspec/optimized/cuda/schedule/box.h>
#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// The cost of a complete plan of the direct kernel.
[[nodiscard]] double direct_cost(const CudaPlan& plan);

// What no plan of the shared tile costs less than, from the width of its pieces and the bytes in all: making one takes
// longest.
[[nodiscard]] double least_shared_tile_cost(const CudaPlan& plan);

// The cost of a complete plan of the shared tile; `axes` have its box.
[[nodiscard]] double shared_tile_cost(const CudaPlan& plan, const BoxAxes& axes);

}  // namespace dlspec::optimized::cuda
