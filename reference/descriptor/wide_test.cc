#include <dlspec/reference/descriptor/wide.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::reference {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Wide power_of_two(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 2;
  return power;
}

// Sums and products of 32-bit numbers fit in 64 bits: there the built-in operators are the judge.
RC_GTEST_PROP(Wide, AgreesWithBuiltInArithmeticWhereThatCannotOverflow, (std::int32_t a, std::int32_t b)) {
  const std::int64_t x = a, y = b;
  RC_ASSERT(Wide(x) + Wide(y) == Wide(x + y));
  RC_ASSERT(Wide(x) - Wide(y) == Wide(x - y));
  RC_ASSERT(Wide(x) * Wide(y) == Wide(x * y));
  RC_ASSERT((Wide(x) <=> Wide(y)) == (x <=> y));
}

RC_GTEST_PROP(Wide, QuotientsRoundTowardsTheNamedSide, (std::int32_t a, std::uint16_t b)) {
  const std::int64_t value = a, divisor = std::int64_t{b} + 1;
  const std::int64_t remainder = ((value % divisor) + divisor) % divisor;
  const auto small = static_cast<std::uint32_t>(divisor);
  RC_ASSERT(floor_modulo(value, divisor) == Wide(remainder));
  RC_ASSERT(floor_divide(value, small) == Wide((value - remainder) / divisor));
  RC_ASSERT(ceil_divide(value, small) == Wide((value - remainder) / divisor + (remainder == 0 ? 0 : 1)));
}

RC_GTEST_PROP(Wide, KeepsTheLawsOfARingBeyond64Bits, (std::int64_t a, std::int64_t b, std::int64_t c)) {
  const Wide x = Wide(a) * b, y = Wide(b) * c, z = Wide(c) * a;
  RC_ASSERT((x + y) + z == x + (y + z));
  RC_ASSERT((x + y) * c == x * c + y * c);
  RC_ASSERT(x + y - y == x);
  RC_ASSERT(x * c == Wide(b) * a * c);
}

TEST(Wide, HoldsTheProductOfTheLargestNumbers) {
  EXPECT_EQ((Wide(smallest) * smallest).to_string(), "85070591730234615865843651857942052864");  // 2^126
  EXPECT_EQ((Wide(smallest) * largest).to_string(), "-85070591730234615856620279821087277056");
  EXPECT_EQ(Wide(std::numeric_limits<std::uint64_t>::max()).to_string(), "18446744073709551615");
  EXPECT_EQ(Wide(0).to_string(), "0");
}

TEST(Wide, FitsExactlyUpToTheLimitsOf64Bits) {
  EXPECT_EQ(Wide(largest).to_int64(), largest);
  EXPECT_EQ(Wide(smallest).to_int64(), smallest);
  EXPECT_FALSE((Wide(largest) + 1).to_int64());
  EXPECT_FALSE((Wide(smallest) - 1).to_int64());
  EXPECT_EQ((Wide(largest) + largest + 1).to_uint64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE((Wide(largest) + largest + 2).to_uint64());
  EXPECT_FALSE(Wide(-1).to_uint64());
}

TEST(Wide, OverflowsAt256BitsAndNotBefore) {
  const Wide half = power_of_two(255);
  const Wide most = half - 1 + half;
  EXPECT_FALSE(most.overflowed());
  EXPECT_TRUE((most + 1).overflowed());
  EXPECT_TRUE((half * 2).overflowed());
  EXPECT_TRUE((power_of_two(128) * power_of_two(128)).overflowed());
  EXPECT_FALSE((power_of_two(127) * power_of_two(128)).overflowed());
  EXPECT_TRUE((power_of_two(250) * power_of_two(250)).overflowed());
}

TEST(Wide, AnOverflowStaysOneAndComparesAsInfinity) {
  const Wide infinite = power_of_two(256);
  EXPECT_TRUE((infinite - infinite).overflowed());
  EXPECT_TRUE((infinite * 0).overflowed());
  EXPECT_TRUE((Wide(7) + infinite).overflowed());
  EXPECT_TRUE(floor_divide(infinite, 8).overflowed());
  EXPECT_GT(infinite, power_of_two(255));
  EXPECT_LT(-infinite, -power_of_two(255));
  EXPECT_EQ(infinite.to_string(), "overflow");
  EXPECT_FALSE(infinite.to_int64());
}

}  // namespace
}  // namespace dlspec::reference
