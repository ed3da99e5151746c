// The engine of SSE2.
#if defined(__x86_64__)
#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>

#include "kernels/vector_kernels.h"
#include "kernels/vectors/sse2.h"

namespace dlspec::optimized {

constinit const Kernels sse2_kernels = vector_kernels<Sse2>();

}  // namespace dlspec::optimized
#endif
