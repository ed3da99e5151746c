// Doubles of the functions of CUB that peer_cccl.cu calls, for the emulated GPU: loops on the host, over memory of the
// host. Their order of elements is not CUB's. With FAKE_CUB_FAULT in the environment the last element is left out.
#pragma once

#include <cstdlib>

#include <cuda_runtime_api.h>

namespace cub {

struct DeviceFor {
  template <class Operation>
  static cudaError_t Bulk(int count, Operation operation, cudaStream_t) {
    if (std::getenv("FAKE_CUB_FAULT") != nullptr) --count;
    while (count-- > 0) operation(count);
    return cudaSuccess;
  }
};

}  // namespace cub
