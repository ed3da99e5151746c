// Vectors of 64 bytes: AVX-512 with byte permutes.
#if defined(__x86_64__)
#define dlspec_kernels avx512_kernels
#define dlspec_width 64
#include "vector_kernels.inc"
#endif
