// AVX2: 32-byte vectors.
#if defined(__x86_64__)
#define dlspec_kernels avx2_kernels
#define dlspec_width 32
#include "vector_kernels.inc"
#endif
