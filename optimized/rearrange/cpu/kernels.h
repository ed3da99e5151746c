// The kernels of each engine. Vector kernels have one source, vector_kernels.inc, compiled once for each instruction
// set.
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
