#include <dlspec/optimized/cuda/phases/portable.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstring>

#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

// The GPU's instruction as its manual defines it, byte by byte.
std::uint32_t permuted(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
  std::array<std::uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &low, 4);
  std::memcpy(bytes.data() + 4, &high, 4);
  std::array<std::uint8_t, 4> chosen;
  for (std::uint32_t i = 0; i < 4; ++i) chosen[i] = bytes[selector >> 4 * i & 7];
  std::uint32_t result;
  std::memcpy(&result, chosen.data(), 4);
  return result;
}

TEST(EmulatorArithmetic, EverySelectorPermutesBytes) {
  for (std::uint32_t selector = 0; selector < 0x10000; ++selector) {
    if ((selector & 0x8888) != 0) continue;
    ASSERT_EQ(byte_permute(0x33221100, 0x77665544, selector), permuted(0x33221100, 0x77665544, selector)) << selector;
  }
}

TEST(EmulatorArithmetic, DivisionIsExactAtTheEdges) {
  constexpr std::uint32_t most = 0x7FFFFFFF;
  for (std::uint32_t divisor = 2; divisor < 3000; ++divisor) {
    const Divisor factors = make_divisor(divisor);
    for (const std::uint32_t number : {0u, 1u, divisor - 1, divisor, divisor + 1, most / divisor * divisor - 1,
                                       most / divisor * divisor, most - 1, most}) {
      ASSERT_EQ(divide(number, factors.magic, factors.shift), number / divisor) << number << " by " << divisor;
    }
  }
  for (const std::uint32_t divisor :
       {65'535u, 65'536u, 65'537u, 0x3FFFFFFFu, 0x40000000u, 0x40000001u, most - 1, most}) {
    const Divisor factors = make_divisor(divisor);
    for (const std::uint32_t number : {0u, divisor - 1, divisor, most}) {
      ASSERT_EQ(divide(number, factors.magic, factors.shift), number / divisor) << number << " by " << divisor;
    }
  }
}

RC_GTEST_PROP(EmulatorArithmetic, DivisionIsExact, (std::uint32_t any, std::uint32_t number)) {
  const std::uint32_t divisor = std::max(any >> any % 31 & 0x7FFFFFFF, 2u);
  number &= 0x7FFFFFFF;
  const Divisor factors = make_divisor(divisor);
  RC_ASSERT(divide(number, factors.magic, factors.shift) == number / divisor);
}

}  // namespace
}  // namespace dlspec::optimized::cuda
