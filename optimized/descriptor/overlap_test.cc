#include <dlspec/optimized/descriptor/overlap.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <dlspec/optimized/testing/small_layouts.h>

namespace dlspec::optimized {
namespace {

using testing::for_each_small_layout;
using testing::SmallLayout;

TEST(SelfOverlap, IsWhatEnumerationShows) {
  for_each_small_layout([](const SmallLayout& layout) {
    const auto offsets = layout.offsets();
    const bool repeats = std::set(offsets.begin(), offsets.end()).size() < offsets.size();
    ASSERT_EQ(self_overlap(layout.view()), repeats ? Answer::yes : Answer::no);
  });
}

Answer overlap_of(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  return self_overlap(View({kDLInt, 8, 1}, shape, strides.data()));
}

TEST(SelfOverlap, IsExactForTwoLargeAxes) {
  EXPECT_EQ(overlap_of({1'000'003, 1'000'000}, {1'000'000, 1'000'003}), Answer::no);
  EXPECT_EQ(overlap_of({1'000'004, 1'000'001}, {1'000'000, 1'000'003}), Answer::yes);
  EXPECT_EQ(overlap_of({1LL << 31, 1LL << 31}, {INT64_MAX, INT64_MIN}), Answer::no);
}

// {2, 2, ...} with the strides of a compact tensor: 2^62 elements, the most that so many axes can have.
TEST(SelfOverlap, IsNoForCompactTensorsOfTheMostAxes) {
  std::vector<std::int64_t> shape(62, 2), strides(62);
  for (std::size_t axis = 0; axis < 62; ++axis) strides[axis] = std::int64_t{1} << (61 - axis);
  EXPECT_EQ(overlap_of(shape, strides), Answer::no);
  std::reverse(strides.begin() + 7, strides.end());
  EXPECT_EQ(overlap_of(shape, strides), Answer::no) << "permuted";
  for (std::int64_t& stride : strides) stride = -stride;
  EXPECT_EQ(overlap_of(shape, strides), Answer::no) << "backwards";
  EXPECT_EQ(overlap_of(std::vector<std::int64_t>(64, 1), std::vector<std::int64_t>(64, 1)), Answer::no) << "rank 64";
}

TEST(SelfOverlap, IsYesForManyAxesOfOneStride) {
  for (std::size_t rank = 2; rank <= 62; ++rank) {
    const std::vector<std::int64_t> shape(rank, 2);
    EXPECT_EQ(overlap_of(shape, std::vector<std::int64_t>(rank, 1)), Answer::yes) << rank;
  }
}

// Layouts that no short cut decides. Of each pair the search takes 4096 steps for the first, one step too many for the
// second. A step is a call, or a difference that the smaller axes cannot make up for.
TEST(SelfOverlap, SearchesExactly4096Steps) {
  EXPECT_EQ(overlap_of({59, 36, 53}, {2798, 2248, 827}), Answer::yes) << "a call is the last step";
  EXPECT_EQ(overlap_of({48, 62, 36}, {801, 1628, 1595}), Answer::maybe) << "a call would be the last step";
  EXPECT_EQ(overlap_of({29, 25, 27}, {1613, 1555, 1537}), Answer::no) << "a difference is the last step";
  EXPECT_EQ(overlap_of({8, 4, 23, 14}, {1216, 1465, 1317, 2831}), Answer::maybe) << "a difference would be the last";
}

// More elements than places must meet, though the search would take too many steps to find where.
TEST(SelfOverlap, IsYesForMoreElementsThanPlaces) {
  EXPECT_EQ(overlap_of({12, 38, 9, 35}, {2067, 1999, 1749, 969}), Answer::yes) << "one more";
  EXPECT_EQ(overlap_of({36, 17, 26, 21}, {2719, 2914, 883, 2522}), Answer::yes) << "many more";
  EXPECT_EQ(overlap_of({15, 19, 15, 31}, {2365, 1436, 1884, 1573}), Answer::maybe) << "as many";
}

TEST(SelfOverlap, GivesUpRatherThanSearchForEver) {
  EXPECT_EQ(overlap_of({-1}, {1}), Answer::maybe);
  EXPECT_EQ(self_overlap(View({kDLInt, 8, 1}, std::vector<std::int64_t>(65, 1), nullptr)), Answer::maybe);
  // Coprime strides of similar size exhaust the search budget quickly.
  const Answer answer = overlap_of({900, 900, 900, 900}, {1'000'000'007, 1'000'000'009, 998'244'353, 999'999'937});
  EXPECT_EQ(answer, Answer::maybe);
}

TEST(RangesMeet, ExactlyWhenAByteIsShared) {
  const ByteRange four{0, 4};
  const ByteRange around{-4, 4};
  EXPECT_TRUE(ranges_meet(100, four, 103, four));
  EXPECT_FALSE(ranges_meet(100, four, 104, four));
  EXPECT_TRUE(ranges_meet(100, four, 107, around));
  EXPECT_FALSE(ranges_meet(100, four, 108, around));
  EXPECT_FALSE(ranges_meet(104, four, 100, four));
  EXPECT_TRUE(ranges_meet(103, four, 100, four));
  EXPECT_FALSE(ranges_meet(100, {0, 0}, 100, four));
  EXPECT_FALSE(ranges_meet(102, {0, 0}, 100, four)) << "nothing, between two bytes of the other";
  EXPECT_FALSE(ranges_meet(100, four, 102, {0, 0}));
  EXPECT_FALSE(ranges_meet(0, four, UINT64_MAX - 3, four)) << "the address space does not wrap";
}

}  // namespace
}  // namespace dlspec::optimized
