// SSE2: 16-byte vectors.
#if defined(__x86_64__)
#define dlspec_kernels sse2_kernels
#define dlspec_width 16
#include "vector_kernels.inc"
#endif
