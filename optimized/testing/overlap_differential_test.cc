// Do elements of a layout overlap? optimized compared with the reference, which visits every index of layouts with few.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/reference/descriptor/overlap.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

struct Drawn {
  std::vector<std::int64_t> shape, strides;
};

// Strides about as large as the number of elements, so that about as many layouts overlap as do not.
Drawn draw(std::mt19937_64& generator, std::size_t rank, std::int64_t most_extent) {
  Drawn drawn;
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    drawn.shape.push_back(1 + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most_extent)));
    count *= drawn.shape.back();
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto stride = 1 + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(count));
    drawn.strides.push_back(generator() % 4 == 0 ? -stride : stride);
  }
  return drawn;
}

struct Tally {
  int no = 0, yes = 0;
};

void compare(const Drawn& drawn, Tally& tally) {
  const Answer answer = self_overlap(View({kDLInt, 8, 1}, drawn.shape, drawn.strides.data()));
  const bool repeats = reference::self_overlap_by_enumeration({drawn.shape, drawn.strides.data()});
  ++(repeats ? tally.yes : tally.no);
  ASSERT_EQ(answer, repeats ? Answer::yes : Answer::no)
      << ::testing::PrintToString(drawn.shape) << ':' << ::testing::PrintToString(drawn.strides);
}

TEST(OverlapAgrees, OnDrawnLayoutsOfFewElements) {
  std::mt19937_64 generator(1);
  Tally tally;
  for (int turn = 0; turn < 20'000; ++turn) compare(draw(generator, 2 + generator() % 3, 6), tally);
  EXPECT_GT(tally.no, 4000);
  EXPECT_GT(tally.yes, 4000);
}

// Three axes that are longer, so that the search takes more steps.
TEST(OverlapAgrees, OnLongAxes) {
  std::mt19937_64 generator(2);
  Tally tally;
  for (int turn = 0; turn < 3'000; ++turn) compare(draw(generator, 3, 16), tally);
  EXPECT_GT(tally.no, 500);
  EXPECT_GT(tally.yes, 500);
}

}  // namespace
}  // namespace dlspec::optimized::testing
