#include <dlspec/optimized/descriptor/strided.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t most = INT64_MAX;
constexpr std::int64_t least = INT64_MIN;

InfiniStatus judge_one_axis(std::int64_t extent, std::int64_t stride, std::int64_t origin) {
  return judge(std::vector<std::int64_t>{extent}, &stride, 1, origin);
}

TEST(Strided, StartsAsAScalarAtTheOrigin) {
  Strided view;
  EXPECT_EQ(view.rank, 0u);
  EXPECT_EQ(view.origin, 0);
  EXPECT_TRUE(view.extents().empty());
  EXPECT_TRUE(view.steps().empty());
  EXPECT_EQ(judge(view), InfiniStatus::success);
}

// The elements reach the first or the last offset that int64 has, or one beyond.
TEST(Judge, AllowsEveryOffsetOfInt64) {
  EXPECT_EQ(judge_one_axis(1, 1, least), InfiniStatus::success);
  EXPECT_EQ(judge_one_axis(2, 1, least), InfiniStatus::success);
  EXPECT_EQ(judge_one_axis(2, -1, least), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(judge_one_axis(2, -1, least + 1), InfiniStatus::success);
  EXPECT_EQ(judge_one_axis(3, -1, least + 1), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(judge_one_axis(1, 1, most), InfiniStatus::success);
  EXPECT_EQ(judge_one_axis(2, -1, most), InfiniStatus::success);
  EXPECT_EQ(judge_one_axis(2, 1, most), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(judge_one_axis(2, 1, most - 1), InfiniStatus::success);
}

// Nobody has said how wide an element is: as many bytes as elements may be there.
TEST(Judge, CountsBytesAsElementsByDefault) {
  const std::vector<std::int64_t> shape{most}, strides{1};
  EXPECT_EQ(judge(shape, strides.data()), InfiniStatus::success);
  EXPECT_EQ(judge(shape, strides.data(), 2), InfiniStatus::bad_tensor_shape);
  Strided view;
  view.rank = 1;
  view.shape[0] = most;
  view.strides[0] = 1;
  EXPECT_EQ(judge(view), InfiniStatus::success);
  EXPECT_EQ(judge(view, 2), InfiniStatus::bad_tensor_shape);
  view.origin = 1;
  EXPECT_EQ(judge(view), InfiniStatus::success) << "ends at 2^63-1";
  view.origin = 2;
  EXPECT_EQ(judge(view), InfiniStatus::bad_tensor_strides);
}

TEST(JudgeArguments, AllowsRank64) {
  const std::vector<std::size_t> shape(infini_max_rank + 1, 1);
  EXPECT_EQ(judge_arguments(infini_max_rank, shape.data(), nullptr, infini_F32), InfiniStatus::success);
  EXPECT_EQ(judge_arguments(infini_max_rank + 1, shape.data(), nullptr, infini_F32), InfiniStatus::bad_param);
}

}  // namespace
}  // namespace dlspec::optimized
