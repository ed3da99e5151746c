// Enqueues the kernel of a plan that is launchable. The kernels are compiled in two sources, by the width of their
// indices.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// cudaErrorInvalidConfiguration for a plan without a kernel. `to` and `from`: the first runs.
[[nodiscard]] cudaError_t enqueue_narrow(const CudaPlan& plan, std::uint8_t* to, const std::uint8_t* from,
                                         cudaStream_t stream);
[[nodiscard]] cudaError_t enqueue_wide(const CudaPlan& plan, std::uint8_t* to, const std::uint8_t* from,
                                       cudaStream_t stream);

}  // namespace dlspec::optimized::cuda
