// The engine of AVX2. What it has beside the others works in 128-bit lanes, of which a vector has two.
#if defined(__x86_64__)
#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>

#include "kernels/l1_transposes.h"
#include "kernels/lane_shuffles.h"
#include "kernels/line_transposes.h"
#include "kernels/vector_kernels.h"
#include "kernels/vectors/avx2.h"

namespace dlspec::optimized {
namespace {

using V = Avx2;

constexpr Kernels all_kernels() {
  Kernels kernels = vector_kernels<V>();
  kernels.lane_shuffle = lane_shuffle<V>;
  kernels.lane_shuffle_single = lane_shuffle_single<V>;
  kernels.transpose_streaming[2] = transpose_streaming<V, 4>;
  kernels.transpose_streaming[3] = transpose_streaming<V, 8>;
  kernels.transpose_streaming[4] = transpose_streaming<V, 16>;
  constexpr Kernel in_l1[element_sizes] = {transpose_l1<V, 1>, transpose_l1<V, 2>, transpose_l1<V, 4>,
                                           transpose_l1<V, 8>, transpose_l1<V, 16>};
  constexpr Kernel indexed[element_sizes] = {transpose_indexed_l1<V, 1>, transpose_indexed_l1<V, 2>,
                                             transpose_indexed_l1<V, 4>, transpose_indexed_l1<V, 8>,
                                             transpose_indexed_l1<V, 16>};
  for (std::size_t i = 0; i < element_sizes; ++i) {
    kernels.transpose_l1[i] = in_l1[i];
    kernels.transpose_indexed_l1[i] = indexed[i];
  }
  return kernels;
}

}  // namespace

constinit const Kernels avx2_kernels = all_kernels();

}  // namespace dlspec::optimized
#endif
