// The engine of NEON.
#if defined(__aarch64__)
#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>

#include "kernels/vector_kernels.h"
#include "kernels/vectors/neon.h"

namespace dlspec::optimized {

constinit const Kernels neon_kernels = vector_kernels<Neon>();

}  // namespace dlspec::optimized
#endif
