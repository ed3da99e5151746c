// The kernels that walk through boxes. Each function completes a plan whose common fields are set.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/box.h>
#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>

namespace dlspec::optimized::cuda {

void plan_direct(BoxAxes& axes, CudaPlan& plan);

// The first axis has unit stride in the destination and repeats one piece.
void plan_fill(BoxAxes& axes, Alignment alignment, CudaPlan& plan);

void plan_shared_tile(BoxAxes& axes, Alignment alignment, CudaPlan& plan);

}  // namespace dlspec::optimized::cuda
