#include <dlspec/reference/descriptor/wide.h>

#include <gtest/gtest.h>

namespace dlspec::reference {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Wide power_of_two(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 2;
  return power;
}

// Sums and products of 32-bit numbers fit in 64 bits: there the built-in operators are the oracle.
TEST(Wide, AgreesWithBuiltInArithmetic) {
  const std::int64_t least = std::numeric_limits<std::int32_t>::min(),
                     greatest = std::numeric_limits<std::int32_t>::max();
  const std::int64_t numbers[] = {least, -65537, -65536, -256, -3, -1, 0, 1, 2, 7, 255, 65535, 65536, greatest};
  for (const std::int64_t x : numbers) {
    for (const std::int64_t y : numbers) {
      EXPECT_EQ(Wide(x) + Wide(y), Wide(x + y)) << x << ", " << y;
      EXPECT_EQ(Wide(x) - Wide(y), Wide(x - y)) << x << ", " << y;
      EXPECT_EQ(Wide(x) * Wide(y), Wide(x * y)) << x << ", " << y;
      EXPECT_EQ(Wide(x) <=> Wide(y), x <=> y) << x << ", " << y;
    }
    EXPECT_EQ(Wide(x).to_int64(), x);
    EXPECT_EQ(Wide(x).to_string(), std::to_string(x));
  }
}

TEST(Wide, QuotientsRoundDownAndUp) {
  const std::int64_t numbers[] = {-1'000'000'007, -65537, -8, -7, -1, 0, 1, 7, 8, 65536, 1'000'000'007};
  for (const std::int64_t value : numbers) {
    for (const std::uint32_t divisor : {1U, 2U, 7U, 8U, 65536U}) {
      const std::int64_t remainder = (value % divisor + divisor) % divisor;
      EXPECT_EQ(floor_divide(value, divisor), Wide((value - remainder) / divisor)) << value << " by " << divisor;
      EXPECT_EQ(ceil_divide(value, divisor), Wide((value - remainder) / divisor + (remainder == 0 ? 0 : 1)));
      EXPECT_EQ(floor_modulo(value, divisor), Wide(remainder)) << value << " by " << divisor;
    }
  }
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

TEST(Wide, RemainderOfANumberThatFillsEveryLimb) {
  Wide value = 1;  // every limb is 1: the sum of 2^32k for k from 0 to 7
  for (int limb = 1; limb < 8; ++limb) value = value * (std::int64_t{1} << 32) + 1;
  ASSERT_FALSE(value.overflowed());
  EXPECT_EQ(floor_modulo(value, 7), Wide(5));  // 2^32 is 4 modulo 7
}

TEST(Wide, UsesItsHighestLimb) {
  const Wide high = power_of_two(255);
  EXPECT_EQ(high - 1 + 1, high);
  EXPECT_EQ(power_of_two(254) + power_of_two(254), high);
  EXPECT_EQ(high * 1, high);
  EXPECT_EQ(Wide(1) * high, high);
  EXPECT_EQ(floor_divide(high, 2), power_of_two(254));
  EXPECT_EQ(floor_modulo(high + 5, high), Wide(5));
  EXPECT_NE(high + 1, high);
}

TEST(Wide, RemaindersOfManyLimbs) {
  const Wide divisor = power_of_two(100) + 3, remainder = power_of_two(99) + 17;
  const Wide value = divisor * 12'345'678'901 + remainder;
  EXPECT_EQ(floor_modulo(value, divisor), remainder);
  EXPECT_EQ(floor_modulo(-value, divisor), divisor - remainder);
  EXPECT_EQ(floor_modulo(value - remainder, divisor), Wide(0));
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
  EXPECT_TRUE((infinite + 7).overflowed());
  EXPECT_TRUE(floor_modulo(infinite, 7).overflowed());
  EXPECT_TRUE(floor_modulo(7, infinite).overflowed());
  EXPECT_TRUE(floor_divide(infinite, 8).overflowed());
  EXPECT_GT(infinite, power_of_two(255));
  EXPECT_LT(power_of_two(255), infinite);
  EXPECT_LT(-infinite, infinite);
  EXPECT_LT(-infinite, -power_of_two(255));
  EXPECT_EQ(infinite.to_string(), "overflow");
  EXPECT_FALSE(infinite.to_int64());
}

}  // namespace
}  // namespace dlspec::reference
