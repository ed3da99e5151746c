// What the phases need of a processor, for nvcc and for any other compiler. The functions that the GPU has instructions
// for are written out for the host, and tested against their definitions.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define DLSPEC_PHASE __host__ __device__ __forceinline__
#define DLSPEC_UNROLL _Pragma("unroll")
#define DLSPEC_UNROLL_4 _Pragma("unroll 4")
#define DLSPEC_UNROLL_2 _Pragma("unroll 2")
#define DLSPEC_NO_UNROLL _Pragma("unroll 1")
#else
#define DLSPEC_PHASE inline
#define DLSPEC_UNROLL
#define DLSPEC_UNROLL_4
#define DLSPEC_UNROLL_2
#define DLSPEC_NO_UNROLL
#endif

namespace dlspec::optimized::cuda {

// What one access moves: 1, 2, 4, 8 or 16 bytes.
template <int width>
struct Word {
  static_assert(width == 4 || width == 8 || width == 16);
  alignas(width) std::uint32_t part[width / 4];
};
template <>
struct Word<1> {
  std::uint8_t bits;
};
template <>
struct Word<2> {
  std::uint16_t bits;
};

// The upper half of the product.
DLSPEC_PHASE std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __umulhi(a, b);
#else
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
#endif
}

// Four bytes of the eight in (low, high): nibble i of the selector, 0 to 7, names byte i of the result.
DLSPEC_PHASE std::uint32_t byte_permute(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, selector);
#else
  const std::uint64_t all = std::uint64_t{high} << 32 | low;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    result |= static_cast<std::uint32_t>(all >> 8 * (selector >> 4 * i & 7) & 0xFF) << 8 * i;
  }
  return result;
#endif
}

// Hides from the compiler where a value comes from. It then keeps the value, where it otherwise computes it anew at
// each use, from several constants.
DLSPEC_PHASE std::uint32_t kept(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(value));
#endif
  return value;
}

// number / divisor for number < 2^31 and divisor >= 2, with the factors of make_divisor().
DLSPEC_PHASE std::uint32_t divide(std::uint32_t number, std::uint32_t magic, std::uint32_t shift) {
  return multiply_high(number, magic) >> shift;
}

}  // namespace dlspec::optimized::cuda
