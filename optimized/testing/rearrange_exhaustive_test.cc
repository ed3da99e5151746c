// Every rearrangement of a small world of rank 0 to 3, in every way and four placements, against the reference. Of rank
// 4 fuzz/small_world draws its share.
#include <gtest/gtest.h>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/optimized/testing/small_world.h>

namespace dlspec::optimized::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t most_rank = 2;
#else
constexpr std::size_t most_rank = 3;
#endif

TEST(RearrangeExhaustive, SmallLayouts) {
  Rearranger rearranger(1 << 13);
  std::int64_t pairs = 0;
  std::string difference;
  for (std::size_t rank = 0; rank <= most_rank; ++rank) {
    const std::int64_t found = each_small_pair(
        rank, [&](std::int64_t) { return difference.empty(); },
        [&](const Pair& pair) { difference = rearranger.difference(pair); });
    EXPECT_EQ(found, small_world_pairs[rank]) << "the world of rank " << rank << " has changed";
    ASSERT_EQ(difference, "");
    pairs += found;
  }
  EXPECT_EQ(pairs, most_rank == 3 ? 946'690 : 10'690);
  EXPECT_EQ(rearranger.compared(), pairs * static_cast<std::int64_t>(ways().size() * placements().size()));
  EXPECT_EQ(rearranger.refused(), 0);
}

}  // namespace
}  // namespace dlspec::optimized::testing
