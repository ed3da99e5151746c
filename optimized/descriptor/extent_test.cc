#include <dlspec/optimized/descriptor/extent.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/testing/small_layouts.h>

namespace dlspec::optimized {
namespace {

using testing::for_each_small_layout;
using testing::SmallLayout;

constexpr std::int64_t most = INT64_MAX;
constexpr std::int64_t least = INT64_MIN;

// Floor and ceiling by other means than the library's shifts.
std::int64_t floor_eighth(std::int64_t bits) { return bits >= 0 ? bits / 8 : -((-bits + 7) / 8); }
std::int64_t ceil_eighth(std::int64_t bits) { return -floor_eighth(-bits); }

void expect_enumerated_range(const SmallLayout& layout, abi::DataType dtype) {
  ByteRange range{-1, -1};
  ASSERT_EQ(byte_range(layout.view(dtype), range), Status::ok);
  const auto offsets = layout.offsets();
  if (offsets.empty()) {
    EXPECT_EQ(range.begin, 0);
    EXPECT_EQ(range.end, 0);
    return;
  }
  const auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
  const std::int64_t bits = element_bits(dtype);
  ASSERT_EQ(range.begin, floor_eighth(*low * bits));
  ASSERT_EQ(range.end, ceil_eighth((*high + 1) * bits));
}

TEST(ByteRange, IsTheEnumeratedOneOfEverySmallLayout) {
  for (const abi::DataType dtype :
       {abi::DataType{kDLFloat, 32, 1}, abi::DataType{kDLInt, 4, 1}, abi::DataType{kDLUInt, 3, 3}}) {
    for_each_small_layout([&](const SmallLayout& layout) { expect_enumerated_range(layout, dtype); });
  }
}

Status range_status(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                    abi::DataType dtype = {kDLUInt, 8, 1}) {
  ByteRange range;
  return byte_range(View(dtype, shape, strides.empty() ? nullptr : strides.data()), range);
}

TEST(ByteRange, EndsAt63Bits) {
  EXPECT_EQ(range_status({most}, {1}), Status::ok);
  EXPECT_EQ(range_status({most}, {}), Status::ok);
  EXPECT_EQ(range_status({most}, {-1}), Status::ok);
  EXPECT_EQ(range_status({most}, {2}), Status::size_overflow);
  EXPECT_EQ(range_status({2}, {most}), Status::size_overflow);
  EXPECT_EQ(range_status({2}, {most - 1}), Status::ok);
  EXPECT_EQ(range_status({2}, {least}), Status::size_overflow);
  EXPECT_EQ(range_status({2, 2}, {most / 2, -(most / 2)}), Status::ok);
  EXPECT_EQ(range_status({most}, {0}, {kDLInt, 16, 1}), Status::size_overflow) << "counted, though not spanned";
  EXPECT_EQ(range_status({most / 2}, {1}, {kDLInt, 16, 1}), Status::ok);
  EXPECT_EQ(range_status({most / 2 + 1}, {1}, {kDLInt, 16, 1}), Status::size_overflow);
  EXPECT_EQ(range_status({most}, {1}, {kDLInt, 4, 1}), Status::ok);
}

// 2^63-1 bytes of single bits: more elements than int64 counts, though the layout has 16 only.
TEST(ByteRange, EndsAt66BitsForElementsOfOneBit) {
  EXPECT_EQ(range_status({8, 2}, {most, most - 1}, {kDLUInt, 1, 1}), Status::ok);
  EXPECT_EQ(range_status({8, 2}, {most, most}, {kDLUInt, 1, 1}), Status::size_overflow);
  EXPECT_TRUE(fits_in_bytes(8 * largest_int64, 1));
  EXPECT_FALSE(fits_in_bytes(8 * largest_int64 + 1, 1));
  EXPECT_FALSE(fits_in_bytes(8 * largest_int64, UINT32_MAX));
}

// Three of these terms overflow 128 bits if they are added before the number of elements is checked.
TEST(ByteRange, SurvivesTheLargestNumbers) {
  EXPECT_EQ(range_status({most, most, most}, {most, most, most}), Status::size_overflow);
  EXPECT_EQ(range_status({most, most, most}, {least, least, least}), Status::size_overflow);
  EXPECT_EQ(range_status({1, most, 1}, {most, least, most}, {kDLInt, 255, 65535}), Status::size_overflow);
  EXPECT_EQ(range_status({most, most, 0}, {most, most, most}), Status::ok);
}

TEST(ByteRange, RefusesWhatHasNoRange) {
  EXPECT_EQ(range_status({-1}, {1}), Status::bad_extent);
  EXPECT_EQ(range_status({0, -1}, {1, 1}), Status::bad_extent);
  EXPECT_EQ(range_status({2}, {1}, {kDLInt, 0, 1}), Status::bad_dtype);
  EXPECT_EQ(range_status({2}, {1}, {kDLInt, 8, 0}), Status::bad_dtype);
}

TEST(CountElements, IsTheProduct) {
  std::int64_t count = -1;
  EXPECT_EQ(count_elements({}, count), Status::ok);
  EXPECT_EQ(count, 1);
  const std::vector<std::int64_t> border{1LL << 31, 1LL << 31, 2};
  EXPECT_EQ(count_elements(border, count), Status::size_overflow);
  EXPECT_EQ(count, 1) << "untouched";
  const std::vector<std::int64_t> below{1LL << 31, 1LL << 31};
  EXPECT_EQ(count_elements(below, count), Status::ok);
  EXPECT_EQ(count, 1LL << 62);
}

}  // namespace
}  // namespace dlspec::optimized
