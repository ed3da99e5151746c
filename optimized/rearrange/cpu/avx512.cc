// The engine of AVX-512. What it has beside the others needs byte permutes and masks.
#if defined(__x86_64__)
#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>

#include "kernels/byte_shuffles.h"
#include "kernels/line_transposes.h"
#include "kernels/triple_transposes.h"
#include "kernels/vector_kernels.h"
#include "kernels/vectors/avx512.h"

namespace dlspec::optimized {
namespace {

using V = Avx512;

constexpr Kernels all_kernels() {
  Kernels kernels = vector_kernels<V>();
  kernels.byte_shuffle = byte_shuffle;
  kernels.byte_shuffle_streaming = byte_shuffle_streaming;
  kernels.byte_shuffle_single = byte_shuffle_single_by_windows<ByteOps>;
  kernels.dword_shuffle_single = byte_shuffle_single_by_windows<DwordOps>;
  set(kernels.transpose_streaming, {transpose_streaming<V, 1>, transpose_streaming<V, 2>, transpose_streaming<V, 4>,
                                    transpose_streaming<V, 8>, transpose_streaming<V, 16>});
  set(kernels.transpose_triple, {transpose_triple<V, 3>, transpose_triple<V, 6>, transpose_triple<V, 12>});
  set(kernels.transpose_triple_packed,
      {transpose_triple_packed<V, 3>, transpose_triple_packed<V, 6>, transpose_triple_packed<V, 12>});
  return kernels;
}

}  // namespace

constinit const Kernels avx512_kernels = all_kernels();

}  // namespace dlspec::optimized
#endif
