// Doubles of the functions of CUB that peer_cccl.cu calls, for the emulated GPU: loops on the host, over memory of the
// host. Their order of elements is not CUB's. With FAKE_CUB_FAULT in the environment the last element is left out.
#pragma once

#include <cstdlib>

#include <cuda_runtime_api.h>
#include <cuda/std/mdspan>
#include <cuda/std/utility>

namespace cub {

struct DeviceFor {
  template <class Index, std::size_t... sizes, class Operation>
  static cudaError_t ForEachInExtents(const cuda::std::extents<Index, sizes...>& extents, Operation operation) {
    Index count = 1;
    for (std::size_t i = 0; i < sizeof...(sizes); ++i) count *= extents.extent(i);
    if (std::getenv("FAKE_CUB_FAULT") != nullptr) --count;
    for (Index number = count; number-- > 0;) {
      call(number, extents, operation, cuda::std::make_index_sequence<sizeof...(sizes)>{});
    }
    return cudaSuccess;
  }

 private:
  template <class Extents, class Operation, std::size_t... axes>
  static void call(typename Extents::index_type number, const Extents& extents, const Operation& operation,
                   cuda::std::index_sequence<axes...>) {
    typename Extents::index_type at[Extents::rank()], rest = number;
    for (std::size_t i = Extents::rank(); i-- > 0; rest /= extents.extent(i)) at[i] = rest % extents.extent(i);
    operation(number, at[axes]...);
  }
};

}  // namespace cub
