#include <dlspec/reference/descriptor/broadcast.h>

#include <limits>

#include <gtest/gtest.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(Broadcast, RepeatedAxesHaveStrideZeroAndSeveralExtents) {
  const Numbers shape{2, 1, 4}, strides{0, 0, 1}, empty{0, 5}, zeros{0, 0};
  EXPECT_EQ(repeated_axes({shape, strides.data()}), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(repeated_axes({shape, nullptr}), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(repeated_axes({empty, zeros.data()}), (std::vector<bool>{false, false}));
}

TEST(Broadcast, OnlySingleAndMissingExtentsStretch) {
  const Numbers target{2, 3, 4};
  EXPECT_TRUE(broadcastable({}, target));
  EXPECT_TRUE(broadcastable(Numbers{4}, target));
  EXPECT_TRUE(broadcastable(Numbers{3, 1}, target));
  EXPECT_TRUE(broadcastable(target, target));
  EXPECT_FALSE(broadcastable(Numbers{3}, target));
  EXPECT_FALSE(broadcastable(Numbers{1, 2, 3, 4}, target));
  EXPECT_TRUE(broadcastable(Numbers{1}, Numbers{0}));
  EXPECT_FALSE(broadcastable(Numbers{0}, Numbers{1}));
}

TEST(Broadcast, StretchedAxesGetStrideZero) {
  const Numbers shape{3, 1}, strides{-5, 7}, target{2, 3, 4};
  EXPECT_EQ(broadcast_strides({shape, strides.data()}, target), (Numbers{0, -5, 0}));
  EXPECT_EQ(broadcast_strides({shape, nullptr}, target), (Numbers{0, 1, 0}));
  EXPECT_FALSE(broadcast_strides({target, nullptr}, shape));
}

TEST(Broadcast, AxesThatDoNotStretchKeepTheirStride) {
  const Numbers shape{1, 4}, strides{99, 1};
  EXPECT_EQ(broadcast_strides({shape, strides.data()}, shape), (Numbers{99, 1}));
}

TEST(Broadcast, RowMajorStridesThatDoNotFitAreRefused) {
  const Numbers shape(3, std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(broadcast_strides({shape, nullptr}, shape));
}

}  // namespace
}  // namespace dlspec::reference
