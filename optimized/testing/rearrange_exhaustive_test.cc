// Every rearrangement of a small world of rank 0 to 3, with every engine and option and in four buffer placements,
// compared with the reference. fuzz/small_world samples rank 4.
#include <gtest/gtest.h>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/optimized/testing/small_world.h>

namespace dlspec::optimized::testing {
namespace {

TEST(RearrangeExhaustive, SmallLayouts) {
  Rearranger rearranger(1 << 13);
  std::int64_t pairs = 0;
  std::string difference;
  for (std::size_t rank = 0; rank <= max_tested_rank; ++rank) {
    const std::int64_t found = each_small_pair(
        rank, [&](std::int64_t) { return difference.empty(); },
        [&](const Pair& pair) { difference = rearranger.difference(pair); });
    EXPECT_EQ(found, small_world_pairs[rank]) << "the world of rank " << rank << " has changed";
    ASSERT_EQ(difference, "");
    pairs += found;
  }
  EXPECT_EQ(pairs, max_tested_rank == 3 ? 946'690 : 10'690);
  const auto all = pairs * static_cast<std::int64_t>(ways().size() * buffer_placements().size());
  EXPECT_EQ(rearranger.compared() + rearranger.left_out(), all);
  EXPECT_GT(rearranger.compared(), all / 3);
  EXPECT_EQ(rearranger.refused(), 0);
}

}  // namespace
}  // namespace dlspec::optimized::testing
