// A visitor of visit_index() that launches the kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

#include <dlspec/optimized/cuda/launch/global_kernel.h>
#include <dlspec/optimized/cuda/launch/launch.h>

namespace dlspec::optimized::cuda {

struct Launcher {
  const CudaPlan& plan;
  std::uint8_t* to;
  const std::uint8_t* from;
  cudaStream_t stream;
  cudaError_t error = cudaErrorInvalidConfiguration;

  template <class KernelType>
  void visit() {
    constexpr std::int64_t max_grid = 0x7FFFFFFF;
    const auto grid = static_cast<unsigned>(plan.blocks < max_grid ? plan.blocks : max_grid);
    Parameter<KernelType> parameter;
    std::memcpy(&parameter, &plan, sizeof(parameter));
    run_phases<KernelType><<<grid, plan.threads, plan.shared_bytes, stream>>>(parameter, to, from);
    error = cudaGetLastError();
  }
};

template <class Index>
cudaError_t enqueue_with(const CudaPlan& plan, std::uint8_t* to, const std::uint8_t* from, cudaStream_t stream) {
  Launcher launcher{plan, to, from, stream};
  visit_index<Index>(plan, launcher);
  return launcher.error;
}

}  // namespace dlspec::optimized::cuda
