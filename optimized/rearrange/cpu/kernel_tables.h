// The kernels of each engine. Those with vectors are templates of the instruction set (kernels/vectors/vector.h).
#pragma once

#include <dlspec/optimized/rearrange/engines/engine.h>

namespace dlspec::optimized {

extern const Kernels scalar_kernels;
#if defined(__x86_64__)
extern const Kernels sse2_kernels;
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#elif defined(__aarch64__)
extern const Kernels neon_kernels;
#endif

}  // namespace dlspec::optimized
