// Vectors of 16 bytes: NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)
#define dlspec_kernels neon_kernels
#define dlspec_width 16
#include "vector_kernels.inc"
#endif
