#include <dlspec/optimized/descriptor/overlap.h>

#include <gtest/gtest.h>

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
  EXPECT_FALSE(ranges_meet(100, {0, 0}, 100, four));
  EXPECT_FALSE(ranges_meet(0, four, UINT64_MAX - 3, four)) << "the address space does not wrap";
}

}  // namespace
}  // namespace dlspec::optimized
