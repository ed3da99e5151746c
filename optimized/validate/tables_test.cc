#include <dlspec/optimized/validate/tables.h>

#include <gtest/gtest.h>

namespace dlspec::optimized {
namespace {

// A code that only says how to read its bits, or that nobody defines, has every width.
TEST(HasWidth, IsTrueOfEveryWidthWhereNoneIsGiven) {
  for (const int code : {int{kDLInt}, int{kDLUInt}, int{kDLOpaqueHandle}, int{kDLBcomplex}, 99, 255}) {
    for (int bits = 0; bits < 256; ++bits)
      EXPECT_TRUE(has_width(static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits))) << code << ' ' << bits;
  }
}

TEST(HasWidth, IsTrueOfTheOneWidthOfARow) {
  int rows = 0;
  for (const DtypeCodeRow& row : dtype_table) {
    if (row.bits == 0) continue;
    ++rows;
    for (int bits = 0; bits < 256; ++bits)
      EXPECT_EQ(has_width(static_cast<std::uint8_t>(row.value), static_cast<std::uint8_t>(bits)), bits == row.bits);
  }
  EXPECT_GT(rows, 10);
}

TEST(HasWidth, IsTrueOfTheWidthsOfFloatsAndTheirPairs) {
  for (const int bits : {16, 32, 64}) EXPECT_TRUE(has_width(kDLFloat, static_cast<std::uint8_t>(bits))) << bits;
  for (const int bits : {0, 1, 8, 15, 24, 33, 255})
    EXPECT_FALSE(has_width(kDLFloat, static_cast<std::uint8_t>(bits))) << bits;
  for (const int bits : {32, 64, 128}) EXPECT_TRUE(has_width(kDLComplex, static_cast<std::uint8_t>(bits))) << bits;
  for (const int bits : {0, 1, 8, 16, 48, 255})
    EXPECT_FALSE(has_width(kDLComplex, static_cast<std::uint8_t>(bits))) << bits;
}

}  // namespace
}  // namespace dlspec::optimized
