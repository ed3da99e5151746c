// AVX-512 with VBMI (byte permutes): 64-byte vectors.
#if defined(__x86_64__)
#define dlspec_kernels avx512_kernels
#define dlspec_width 64
#include "vector_kernels.inc"
#endif
