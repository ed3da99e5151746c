// The kernels with 64-bit indices.
#include <dlspec/optimized/cuda/launch/enqueue.h>

namespace dlspec::optimized::cuda {

cudaError_t enqueue_wide(const CudaPlan& plan, std::uint8_t* to, const std::uint8_t* from, cudaStream_t stream) {
  return enqueue_with<std::int64_t>(plan, to, from, stream);
}

}  // namespace dlspec::optimized::cuda
