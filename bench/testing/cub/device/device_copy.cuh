#pragma once

#include <cub/device/device_for.cuh>
#include <cuda/std/utility>

namespace cub {

struct DeviceCopy {
  template <class In, class Out>
  static cudaError_t Copy(In from, Out to, cudaStream_t stream) {
    return DeviceFor::Bulk(
        static_cast<int>(to.size()),
        [&](int number) { copy(from, to, number, cuda::std::make_index_sequence<Out::rank()>{}); }, stream);
  }

 private:
  template <class In, class Out, std::size_t... axes>
  static void copy(const In& from, const Out& to, int number, cuda::std::index_sequence<axes...>) {
    typename Out::index_type at[Out::rank()];
    for (std::size_t i = Out::rank(); i-- > 0; number /= to.extent(i)) at[i] = number % to.extent(i);
    to(at[axes]...) = from(at[axes]...);
  }
};

}  // namespace cub
