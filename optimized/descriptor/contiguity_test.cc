#include <dlspec/optimized/descriptor/contiguity.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/testing/small_layouts.h>

namespace dlspec::optimized {
namespace {

using testing::for_each_small_layout;
using testing::SmallLayout;

bool counts_up(const std::vector<std::int64_t>& offsets) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

SmallLayout reversed(SmallLayout layout) {
  std::reverse(layout.shape.begin(), layout.shape.end());
  std::reverse(layout.strides.begin(), layout.strides.end());
  return layout;
}

bool fills_a_block(std::vector<std::int64_t> offsets) {
  std::sort(offsets.begin(), offsets.end());
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] != offsets[i - 1] + 1) return false;
  }
  return true;
}

TEST(Contiguity, IsWhatEnumerationShows) {
  for_each_small_layout([](const SmallLayout& layout) {
    ASSERT_EQ(is_row_major(layout.view()), counts_up(layout.offsets()));
    ASSERT_EQ(is_column_major(layout.view()), counts_up(reversed(layout).offsets()));
    ASSERT_EQ(is_dense(layout.view()), fills_a_block(layout.offsets()));
  });
}

TEST(Contiguity, TakesNullStridesAsRowMajor) {
  const std::vector<std::int64_t> matrix{2, 3};
  const View view({kDLFloat, 32, 1}, matrix, nullptr);
  EXPECT_TRUE(is_row_major(view));
  EXPECT_FALSE(is_column_major(view));
  EXPECT_TRUE(is_dense(view));
  const std::vector<std::int64_t> column{3, 1};
  EXPECT_TRUE(is_column_major(View({kDLFloat, 32, 1}, column, nullptr)));
}

TEST(Contiguity, DoesNotWrap) {
  const std::vector<std::int64_t> shape{2, 1LL << 32, 1LL << 32};
  const std::vector<std::int64_t> strides{0, 1LL << 32, 1};
  const View view({kDLInt, 8, 1}, shape, strides.data());
  EXPECT_FALSE(is_row_major(view));
  EXPECT_FALSE(is_dense(view));
  const std::vector<std::int64_t> turned_shape{1LL << 32, 1LL << 32, 2}, turned_strides{1, 1LL << 32, 0};
  EXPECT_FALSE(is_column_major(View({kDLInt, 8, 1}, turned_shape, turned_strides.data())));
}

}  // namespace
}  // namespace dlspec::optimized
