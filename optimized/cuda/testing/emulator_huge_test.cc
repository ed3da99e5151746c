// Plans of tensors beyond any memory: some blocks run against a source that is computed from its offsets.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/cuda/testing/sampled_blocks.h>
#include <dlspec/optimized/testing/huge_layouts.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::cuda::testing {
namespace {

using optimized::testing::huge_shape;
using optimized::testing::huge_strides;
using optimized::testing::Numbers;
using optimized::testing::Pair;

abi::DataType bytes(std::uint16_t count) { return {kDLUInt, 8, count}; }

const Pair huge[] = {
    {bytes(1), {3'000'000'000, 2}, {2, 1}, {1, 3'000'000'000}},
    {bytes(4), {70'000, 70'000}, {70'000, 1}, {1, 70'000}},
    {bytes(4), {70'001, 70'001}, {70'001, 1}, {1, 70'001}},
    {bytes(1), {70'001, 70'001}, {70'001, 1}, {1, 70'001}},
    {bytes(2), {70'001, 70'003}, {70'003, 1}, {-1, 70'001}},
    {bytes(2), {100'000, 100'000, 3}, {300'000, 3, 1}, {0, -1, 100'000}},
    {bytes(1), {std::int64_t{1} << 52}, {1}, {1}},
    {bytes(1), {std::int64_t{1} << 40, 3}, {4, 1}, {3, 1}},
    {bytes(4), {std::int64_t{1} << 33}, {1}, {0}},
    {bytes(8), {1 << 20, 1 << 20}, {1 << 20, 1}, {-(1 << 20), -1}},
    {bytes(16), {1 << 17, 1 << 17}, {1 << 17, 1}, {1, 1 << 17}},
    // Just below, and above, what 32-bit offsets reach.
    {bytes(4), {16'383, 16'383}, {16'383, 1}, {1, 16'383}},
    {bytes(4), {23'170, 23'170}, {23'170, 1}, {1, 23'170}},
    {bytes(4), {46'341, 46'341}, {46'341, 1}, {1, 46'341}},
};

TEST(EmulatorHuge, BeyondTwoToThe31) {
  for (const Pair& pair : huge) {
    EXPECT_EQ(sampled_fault(pair, 0x123456789ABCDEF), "") << pair.text();
    EXPECT_EQ(sampled_fault(pair, 0xFEDCBA987654321, {1, 2}), "") << pair.text();
  }
}

// Blocks whose words are no whole warps, and that begin amid a word: the threads to spare write nothing of the next.
TEST(EmulatorHuge, ThreadsBeyondABlockOfAFill) {
  for (const std::uint32_t aligned : {4U, 8U, 16U}) {
    EXPECT_EQ(sampled_fault({bytes(8), {528'771}, {1}, {0}}, 1, {aligned, 16}, 64), "") << aligned;
    EXPECT_EQ(sampled_fault({bytes(4), {1'057'542}, {1}, {0}}, 1, {aligned, 16}, 64), "") << aligned;
  }
}

TEST(EmulatorHuge, WideIndicesWhereTheyAreNeeded) {
  EXPECT_EQ(planned({bytes(4), {16'383, 16'383}, {16'383, 1}, {1, 16'383}}).plan.wide, 0);
  EXPECT_EQ(planned({bytes(4), {16'385, 16'385}, {16'385, 1}, {1, 16'385}}).plan.wide, 1);
  // Few bytes that lie far apart.
  EXPECT_EQ(planned({bytes(4), {64, 64}, {1 << 25, 1}, {64, 1}}).plan.wide, 1);
  EXPECT_EQ(planned({bytes(4), {64, 64}, {64, 1}, {1 << 25, 1}}).plan.wide, 1);
  EXPECT_EQ(planned({bytes(4), {64, 64}, {64, 1}, {1 << 21, 1}}).plan.wide, 0);
  // More blocks than a grid has.
  const CudaPlan many = planned({bytes(1), {std::int64_t{1} << 50}, {1}, {1}}).plan;
  EXPECT_GT(many.blocks, std::int64_t{1} << 31);
  EXPECT_EQ(grid_size(many), 0x7FFFFFFFu);
}

TEST(EmulatorHuge, SpansThatNoGpuHasAreRefused) {
  Rearrangement copy;
  const Numbers shape{2, 2}, far{std::int64_t{1} << 60, 1}, compact{2, 1};
  EXPECT_EQ(make_plan({bytes(1), shape, far.data()}, {bytes(1), shape, compact.data()}, copy), Status::size_overflow);
  EXPECT_EQ(make_plan({bytes(1), shape, compact.data()}, {bytes(1), shape, far.data()}, copy), Status::size_overflow);
  EXPECT_EQ(copy.geometry.bytes, 0);
}

RC_GTEST_PROP(EmulatorHuge, RandomBlocks, (std::uint64_t seed)) {
  Pair pair;
  pair.dtype = bytes(*rc::gen::element<std::uint16_t>(1, 2, 3, 4, 8, 12, 16));
  pair.shape = huge_shape(item_size(pair.dtype));
  pair.to = huge_strides(pair.shape, false);
  pair.from = huge_strides(pair.shape, true);
  const Alignment alignment{*rc::gen::element<std::uint32_t>(1, 2, 4, 8, 16),
                            *rc::gen::element<std::uint32_t>(1, 2, 4, 8, 16)};
  RC_ASSERT(sampled_fault(pair, seed, alignment) == "");
}

}  // namespace
}  // namespace dlspec::optimized::cuda::testing
