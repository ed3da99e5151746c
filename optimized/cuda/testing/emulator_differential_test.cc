// The kernels of the GPU, emulated, against the reference: what rearrange_exhaustive_test.cc and
// rearrange_differential_test.cc ask of the CPU's engines.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include <dlspec/optimized/cuda/testing/emulated_rearranger.h>
#include <dlspec/optimized/testing/border_sizes.h>
#include <dlspec/optimized/testing/small_world.h>
#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::cuda::testing {
namespace {

using optimized::testing::bytes;
using optimized::testing::max_tested_rank;
using optimized::testing::Numbers;
using optimized::testing::tile_sizes;

constexpr Shift shifts[] = {{0, 0}, {1, 0}, {0, 3}, {4, 8}, {2, 6}, {8, 4}, {5, 5}};
constexpr std::uint16_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};

TEST(EmulatorSmallWorld, AllLayouts) {
  EmulatedRearranger rearranger;
  rearranger.through_shared_every(5);  // no divisor of what the layouts repeat after, or of the number of shifts
  std::int64_t pairs = 0;
  std::string difference;
  for (std::size_t rank = 0; rank <= max_tested_rank; ++rank) {
    std::uint64_t number = 0;
    pairs += optimized::testing::each_small_pair(
        rank, [&](std::int64_t) { return difference.empty(); },
        [&](const Pair& pair) {
          ++number;
          difference = rearranger.difference(pair, shifts[number % std::size(shifts)], number % 64);
        });
    ASSERT_EQ(difference, "");
  }
  EXPECT_EQ(rearranger.compared(), pairs);
  EXPECT_EQ(pairs, max_tested_rank == 3 ? 946'690 : 10'690);
  EXPECT_EQ(rearranger.refused(), 0);
}

// Sides around the boundaries of tiles and words, with pitches that are words and pitches that are not.
TEST(Emulator, Transposes) {
  EmulatedRearranger rearranger;
  for (const std::uint16_t size : sizes) {
    for (const std::int64_t rows : {2, 7, 16, 31, 64, 65, 130}) {
      for (const std::int64_t columns : {3, 8, 17, 32, 63, 64, 127, 200}) {
        for (const bool wide : {false, true}) {
          rearranger.always_wide(wide);
          const Shift shift = shifts[static_cast<std::size_t>(rows + columns) % std::size(shifts)];
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}), "");
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}, shift), "");
          // Odd pitches on one side only.
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows + 1}}), "");
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 1, 1}, {1, rows}}), "");
          if (wide) continue;
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}, shift), "");
          ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {-columns, 1}, {1, -rows - 5}}, shift), "");
          ASSERT_EQ(rearranger.difference(
                        {bytes(size), {3, rows, columns}, {columns * rows + 16, columns, 1}, {columns * rows, 1, rows}},
                        shift),
                    "");
        }
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
  EXPECT_GT(rearranger.runs_of(Kernel::register_tile), 100);
  EXPECT_GT(rearranger.runs_of(Kernel::shared_tile), 1000);
}

// Padded, broadcast, reversed by rows and by elements, gathered, scattered, repeated.
TEST(Emulator, Rows) {
  EmulatedRearranger rearranger;
  for (const std::uint16_t size : sizes) {
    for (const std::int64_t row : {2, 5, 16, 33, 64, 127, 300, 1025}) {
      for (const Shift shift : shifts) {
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {row + 3, 1}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row + 2, 1}, {0, 1}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {row, -1}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {-2 * row, 2}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {3 * row, 3}, {row, 1}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {1, 0}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row + 1, 1}, {1, 0}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {row}, {1}, {1}}, shift), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
  EXPECT_GT(rearranger.runs_of(Kernel::fill), 100);
  EXPECT_GT(rearranger.runs_of(Kernel::direct), 100);
  EXPECT_GT(rearranger.runs_of(Kernel::contig), 100);
}

// Interleave and deinterleave, flipped pixels, gray to colour, short rows, tiny axes in reverse order.
TEST(Emulator, ShortAxes) {
  EmulatedRearranger rearranger;
  for (const std::uint16_t size : tile_sizes) {
    for (const std::int64_t few : {2, 3, 4, 5, 8}) {
      for (const std::int64_t many : {3, 64, 65, 500, 3000}) {
        const Shift shift = shifts[static_cast<std::size_t>(few + many + size) % std::size(shifts)];
        ASSERT_EQ(rearranger.difference({bytes(size), {few, many}, {many, 1}, {1, few}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {1, many}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {-few, 1}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {1, 0}}, shift), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {few + 1, 1}}, shift), "");
      }
    }
    for (int rank = 2; rank <= 13; ++rank) {
      Numbers shape(static_cast<std::size_t>(rank), 2), to(shape.size(), 1), from(shape.size(), 1);
      for (std::size_t i = 1; i < shape.size(); ++i) {
        to[shape.size() - 1 - i] = to[shape.size() - i] * 2;
        from[i] = from[i - 1] * 2;
      }
      ASSERT_EQ(rearranger.difference({bytes(size), shape, to, from}, {0, 2}), "");
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// All axes that a plan may have, as axes of the grid and of the box.
TEST(Emulator, MostAxes) {
  EmulatedRearranger rearranger;
  for (const std::size_t twos : {std::size_t{1}, std::size_t{5}, std::size_t{14}}) {
    Numbers shape(max_rank, 1), to(max_rank, 7), from(max_rank, -3);
    std::int64_t next = 1;
    for (std::size_t i = 0; i < twos; ++i) {
      shape[i * 4] = 2;
      to[i * 4] = next;
      from[(twos - 1 - i) * 4] = next * 3;
      next *= 2;
    }
    ASSERT_EQ(rearranger.difference({bytes(3), shape, to, from}, {1, 0}), "");
    ASSERT_EQ(rearranger.difference({bytes(8), shape, to, from}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

RC_GTEST_PROP(Emulator, RandomLayouts, (std::uint64_t seed)) {
  static EmulatedRearranger rearranger;
  constexpr std::uint16_t all_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 20, 24, 32, 33, 48, 64, 100};
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(all_sizes));
  pair.shape = *dlspec::testing::small_shape(400);
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *rc::gen::arbitrary<bool>() ? *dlspec::testing::readable_strides(pair.shape)
                                          : *dlspec::testing::injective_strides(pair.shape);
  const Shift shift = *dlspec::testing::any_of(shifts);
  rearranger.always_wide(*rc::gen::weightedElement<bool>({{4, false}, {1, true}}));
  RC_ASSERT(rearranger.difference(pair, shift, seed) == "");
}

// Larger extents, so that boxes are partial on both sides.
RC_GTEST_PROP(Emulator, RandomBorders, (std::uint64_t seed)) {
  static EmulatedRearranger rearranger;
  constexpr std::int64_t borders[] = {2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 256};
  constexpr std::uint16_t some_sizes[] = {1, 2, 3, 4, 8, 16};
  const auto rank = *rc::gen::inRange<std::size_t>(1, 7);
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(some_sizes));
  pair.shape = dlspec::testing::shape_of(borders, rank, 6000);
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *dlspec::testing::injective_strides(pair.shape);
  if (*rc::gen::inRange(0, 4) == 0) pair.from[*rc::gen::inRange<std::size_t>(0, rank)] = 0;
  const Shift shift = *dlspec::testing::any_of(shifts);
  rearranger.always_wide(*rc::gen::weightedElement<bool>({{4, false}, {1, true}}));
  RC_ASSERT(rearranger.difference(pair, shift, seed) == "");
}

RC_GTEST_PROP(Emulator, RandomDestinations, ()) {
  static EmulatedRearranger rearranger;
  RC_ASSERT(rearranger.difference(optimized::testing::any_destination(sizes)) == "");
}

}  // namespace
}  // namespace dlspec::optimized::cuda::testing
