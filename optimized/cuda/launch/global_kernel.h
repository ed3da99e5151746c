// The kernel that the GPU runs: the phases, with a barrier between two of them.
#pragma once

#include <type_traits>

#include <dlspec/optimized/cuda/launch/device_memory.h>
#include <dlspec/optimized/cuda/phases/kernels.h>

namespace dlspec::optimized::cuda {

// The part of a plan that a kernel gets.
template <class KernelType>
struct Parameter {
  alignas(CudaPlan) std::uint8_t bytes[KernelType::is_wide ? sizeof(CudaPlan) : narrow_plan_bytes];
};

// 512 threads per multiprocessor may have all the registers that a thread needs (at most 64 at 256 threads per block
// and four blocks).
template <class KernelType>
__global__ void __launch_bounds__(max_threads, 4)
    run_phases(const __grid_constant__ Parameter<KernelType> parameter, std::uint8_t* to, const std::uint8_t* from) {
  const auto& plan = reinterpret_cast<const CudaPlan&>(parameter);
  extern __shared__ __align__(16) std::uint8_t shared[];
  DeviceMemory memory(to, from, shared);
  if constexpr (KernelType::is_wide) {
    for (std::int64_t block = blockIdx.x; block < plan.blocks; block += gridDim.x) {
      const Context context{threadIdx.x, block};
      KernelType::template run<0>(memory, context, plan);
      if constexpr (KernelType::phases > 1) {
        __syncthreads();
        KernelType::template run<1>(memory, context, plan);
        __syncthreads();
      }
    }
  } else {
    const Context context{threadIdx.x, static_cast<std::int32_t>(blockIdx.x)};
    KernelType::template run<0>(memory, context, plan);
    if constexpr (KernelType::phases > 1) {
      __syncthreads();
      KernelType::template run<1>(memory, context, plan);
    }
  }
}

}  // namespace dlspec::optimized::cuda
