// The kernels with 32-bit indices.
#include <dlspec/optimized/cuda/launch/enqueue.h>

namespace dlspec::optimized::cuda {

cudaError_t enqueue_narrow(const CudaPlan& plan, std::uint8_t* to, const std::uint8_t* from, cudaStream_t stream) {
  return enqueue_with<std::int32_t>(plan, to, from, stream);
}

}  // namespace dlspec::optimized::cuda
