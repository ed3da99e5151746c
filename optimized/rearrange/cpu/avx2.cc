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
  set(kernels.transpose_streaming,
      {nullptr, nullptr, transpose_streaming<V, 4>, transpose_streaming<V, 8>, transpose_streaming<V, 16>});
  set(kernels.transpose_l1,
      {transpose_l1<V, 1>, transpose_l1<V, 2>, transpose_l1<V, 4>, transpose_l1<V, 8>, transpose_l1<V, 16>});
  set(kernels.transpose_indexed_l1, {transpose_indexed_l1<V, 1>, transpose_indexed_l1<V, 2>, transpose_indexed_l1<V, 4>,
                                     transpose_indexed_l1<V, 8>, transpose_indexed_l1<V, 16>});
  return kernels;
}

}  // namespace

constinit const Kernels avx2_kernels = all_kernels();

}  // namespace dlspec::optimized
#endif
