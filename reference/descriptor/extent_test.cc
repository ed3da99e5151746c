#include <dlspec/reference/descriptor/extent.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/enumerate.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
using Numbers = std::vector<std::int64_t>;

Layout small_layout(bool with_strides) {
  Layout layout;
  layout.shape = *rc::gen::container<Numbers>(rc::gen::inRange<std::int64_t>(0, 5));
  if (layout.shape.size() > 4) layout.shape.resize(4);
  if (with_strides)
    layout.strides = *rc::gen::container<Numbers>(layout.shape.size(), rc::gen::arbitrary<std::int64_t>());
  return layout;
}

RC_GTEST_PROP(Extent, ClosedFormIsEnumeration, (bool with_strides, std::uint16_t bits)) {
  const Layout layout = small_layout(with_strides);
  RC_ASSERT(reach(layout, bits) == reach_by_enumeration(layout, bits));
}

RC_GTEST_PROP(Extent, CountIsTheNumberOfIndices, ()) {
  const Layout layout = small_layout(false);
  std::int64_t visited = 0;
  for (Cursor<std::int64_t> cursor(layout); !cursor.done(); cursor.advance()) {
    RC_ASSERT(cursor.offset() == visited);  // row-major order
    ++visited;
  }
  RC_ASSERT(element_count(layout.shape) == Wide(visited));
}

RC_GTEST_PROP(Extent, NullStridesAreRowMajorOnes, ()) {
  Layout layout = small_layout(false);
  const auto before = reach(layout, 32);
  layout.strides = row_major_strides(layout.shape);
  RC_ASSERT(reach(layout, 32) == before);
}

TEST(Extent, CountsOneElementInRankZero) {
  EXPECT_EQ(element_count({}), Wide(1));
  const Layout scalar;
  EXPECT_EQ(reach(scalar, 32), (Reach{0, 0, 0, 4}));
}

TEST(Extent, AnEmptyTensorReachesNothingHoweverLargeItsOtherExtents) {
  const Numbers shape(64, largest);
  EXPECT_TRUE(element_count(shape).overflowed());
  Numbers empty = shape;
  empty[63] = 0;
  EXPECT_EQ(element_count(empty), Wide(0));
  EXPECT_FALSE(reach({empty, nullptr}, 32));
}

TEST(Extent, TheProductOfTheExtentsMayOverflowAndTheReachThen) {
  const Numbers shape(64, largest);
  const auto far = reach({shape, nullptr}, 8);
  ASSERT_TRUE(far);
  EXPECT_TRUE(far->high.overflowed());
  EXPECT_TRUE(far->high_bytes.overflowed());
  EXPECT_EQ(far->low_bytes, Wide(0));
}

TEST(Extent, SixtyFourExtremeTermsOfTheWidestElementAreHeld) {
  const Numbers shape(64, largest), strides(64, smallest);
  const auto far = reach({shape, strides.data()}, 255 * 65535);
  ASSERT_TRUE(far);
  EXPECT_FALSE(far->low_bytes.overflowed());
  EXPECT_EQ(far->low, (Wide(largest) - 1) * smallest * 64);
}

TEST(Extent, NegativeStridesReachBelowTheFirstElement) {
  const Numbers shape{3, 4}, strides{8, -1};
  EXPECT_EQ(reach({shape, strides.data()}, 32), (Reach{-3, 16, -12, 68}));
}

TEST(Extent, PackedElementsTouchWholeBytesAtBothEnds) {
  const Numbers shape{3}, strides{-1};
  EXPECT_EQ(reach({shape, strides.data()}, 4), (Reach{-2, 0, -1, 1}));
  EXPECT_EQ(reach({shape, nullptr}, 4), (Reach{0, 2, 0, 2}));
  EXPECT_EQ(reach({shape, nullptr}, 6), (Reach{0, 2, 0, 3}));
}

TEST(Extent, TheByteSpanCountsFromData) {
  const abi::DataType float32{kDLFloat, 32, 1}, int4{kDLInt, 4, 1};
  const Numbers shape{3, 4}, strides{8, -1}, empty{3, 0};
  EXPECT_EQ(byte_span({shape, strides.data()}, 12, float32), (ByteSpan{0, 80}));
  EXPECT_EQ(byte_span({shape, strides.data()}, 0, float32), (ByteSpan{-12, 68})) << "before data";
  EXPECT_EQ(byte_span({shape, strides.data()}, 4, float32)->size(), 80U);
  EXPECT_EQ(byte_span({shape, nullptr}, 1, int4), (ByteSpan{1, 7})) << "packed";
  EXPECT_EQ(byte_span({empty, nullptr}, 64, float32), ByteSpan{}) << "no elements";
  EXPECT_EQ(byte_span({shape, nullptr}, std::uint64_t{1} << 63, float32), std::nullopt);
  const Numbers two{2, 2}, apart{smallest, largest};
  EXPECT_EQ(byte_span({two, apart.data()}, 0, {kDLUInt, 8, 1}), std::nullopt)
      << "each end fits, their distance does not";
}

TEST(Extent, StridesOfSingleExtentsAreWithoutMeaning) {
  const Numbers shape{1, 5}, strides{largest, 1};
  EXPECT_EQ(reach({shape, strides.data()}, 8), (Reach{0, 4, 0, 5}));
}

TEST(Extent, ByteSizeIsPackedOrPadded) {
  const abi::DataType int4{kDLInt, 4, 1}, fp6x3{kDLFloat6_e2m3fn, 6, 3}, float32{kDLFloat, 32, 1};
  EXPECT_EQ(byte_size(3, storage_bits(int4, false)), Wide(2));
  EXPECT_EQ(byte_size(3, storage_bits(int4, true)), Wide(3));
  EXPECT_EQ(byte_size(1, storage_bits(fp6x3, false)), Wide(3));
  EXPECT_EQ(byte_size(5, storage_bits(fp6x3, false)), Wide(12));
  EXPECT_EQ(byte_size(5, storage_bits(fp6x3, true)), Wide(15));
  EXPECT_EQ(byte_size(5, storage_bits(float32, true)), Wide(20));
}

TEST(Extent, CompactStridesCountAnEmptyAxisAsOne) {
  const Numbers shape{3, 0, 4};
  EXPECT_EQ(row_major_strides(shape), (Numbers{4, 4, 1}));
  EXPECT_EQ(column_major_strides(shape), (Numbers{1, 3, 3}));
  const Numbers large{2, largest, 2};
  EXPECT_FALSE(row_major_strides(large));
  EXPECT_FALSE(column_major_strides(large));
}

}  // namespace
}  // namespace dlspec::reference
