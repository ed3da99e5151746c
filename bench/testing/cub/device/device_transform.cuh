#pragma once

#include <algorithm>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace cub {

struct DeviceTransform {
  template <class In, class Out, class Operation>
  static cudaError_t Transform(In from, Out to, std::int64_t count, Operation operation, cudaStream_t) {
    std::transform(from, from + count, to, operation);
    return cudaSuccess;
  }
};

}  // namespace cub
