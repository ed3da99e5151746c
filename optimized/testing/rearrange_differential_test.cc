// Rearrangements beyond the small world, with every engine and option, compared with the reference: many short axes,
// long copies and random layouts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include <dlspec/optimized/testing/border_sizes.h>
#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/generators.h>

namespace dlspec::optimized::testing {
namespace {

TEST(RearrangeDifferential, ManyShortAxes) {
  Rearranger rearranger(1 << 20);
  Numbers shape, to, from;
  for (int rank = 1; rank <= 11; ++rank) {
    shape.assign(static_cast<std::size_t>(rank), 2);
    to.assign(shape.size(), 1);
    from.assign(shape.size(), 1);
    for (std::size_t i = 1; i < shape.size(); ++i) {
      to[shape.size() - 1 - i] = to[shape.size() - i] * 2;
      from[i] = from[i - 1] * 2;
    }
    for (const std::uint16_t size : all_sizes) ASSERT_EQ(rearranger.difference({bytes(size), shape, to, from}), "");
    // Reversed along all axes, along every second, and along the largest source stride only.
    for (const unsigned backwards : {~0u, 0xAAAu, 0x555u, 1u << (rank - 1)}) {
      Numbers back = from;
      for (std::size_t i = 0; i < back.size(); ++i) back[i] = (backwards >> i & 1) != 0 ? -from[i] : from[i];
      for (const std::uint16_t size : tile_sizes) ASSERT_EQ(rearranger.difference({bytes(size), shape, to, back}), "");
    }
  }
}

// Several tiles on each side, the last of them partial.
TEST(RearrangeDifferential, ReversedTwosAndThrees) {
  Rearranger rearranger(1 << 20);
  for (int rank = 4; rank <= 8; ++rank) {
    Numbers shape, to, from;
    std::int64_t count = 1;
    for (int i = 0; i < rank; ++i) {
      shape.push_back(2 + i % 2);
      from.push_back(count);
      count *= shape.back();
    }
    for (const std::int64_t extent : shape) to.push_back(count /= extent);
    for (const std::uint16_t size : tile_sizes) ASSERT_EQ(rearranger.difference({bytes(size), shape, to, from}), "");
    from[0] = -1;
    for (const std::uint16_t size : tile_sizes) ASSERT_EQ(rearranger.difference({bytes(size), shape, to, from}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Long enough for several blocks of every method, and so for several threads.
TEST(RearrangeDifferential, LongCopies) {
  Rearranger rearranger(1 << 21);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 5, 0}, {false, 64, 9}};
  ASSERT_EQ(rearranger.difference({bytes(1), {1'000'003}, {1}, {1}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(1), {145'000}, {1}, {1}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(1), {333'333}, {1}, {3}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {100'003}, {2}, {1}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(2), {300'007}, {1}, {-1}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(8), {50'001}, {1}, {0}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {40, 9001}, {9001, 1}, {1, 40}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {9001, 40}, {40, 1}, {1, 9001}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(3), {300, 301}, {301, 1}, {1, 300}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(12), {100, 101}, {101, 1}, {1, 100}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {31, 33, 35, 7}, {8085, 245, 7, 1}, {1, 31, 7161, 1023}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(128), {6, 50, 7}, {350, 7, 1}, {7, 42, 1}}, placements), "");
}

Numbers permuted(const Numbers& numbers, const std::vector<std::size_t>& placements) {
  Numbers moved(numbers.size());
  for (std::size_t i = 0; i < placements.size(); ++i) moved[placements[i]] = numbers[i];
  return moved;
}

RC_GTEST_PROP(RearrangeDifferential, RandomLayouts, ()) {
  static Rearranger rearranger(1 << 20);
  Pair pair;
  pair.dtype =
      bytes(*rc::gen::arbitrary<bool>() ? *dlspec::testing::any_of(all_sizes) : *dlspec::testing::any_of(tile_sizes));
  pair.shape = *dlspec::testing::small_shape(2000);
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *rc::gen::arbitrary<bool>() ? *dlspec::testing::readable_strides(pair.shape)
                                          : *dlspec::testing::injective_strides(pair.shape);
  RC_ASSERT(rearranger.difference(pair) == "");
}

// Rank up to 8, with extents around the boundaries of vectors and tiles.
RC_GTEST_PROP(RearrangeDifferential, RandomBorders, ()) {
  static Rearranger rearranger(1 << 20);
  const auto rank = *rc::gen::inRange<std::size_t>(1, 9);
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(tile_sizes));
  pair.shape = permuted(dlspec::testing::shape_of(borders, rank, 4000), *dlspec::testing::permutation(rank));
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *dlspec::testing::injective_strides(pair.shape);
  if (*rc::gen::inRange(0, 4) == 0) pair.from[*rc::gen::inRange<std::size_t>(0, rank)] = 0;
  RC_ASSERT(rearranger.difference(pair, {{true, 0, 0}, {false, 0, 3}}) == "");
}

RC_GTEST_PROP(RearrangeDifferential, RandomDestinations, ()) {
  static Rearranger rearranger(1 << 20);
  RC_ASSERT(rearranger.difference(any_destination(all_sizes)) == "");
}

}  // namespace
}  // namespace dlspec::optimized::testing
