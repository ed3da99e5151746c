// Rearrangements beyond the small world, with every engine and option, compared with the reference: sizes around the
// boundaries of vectors, tiles, cache lines and blocks, and random layouts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

abi::DataType bytes(std::uint16_t count) { return {kDLUInt, 8, count}; }

// Element sizes of 1 to 16 bytes, those between, and larger ones.
constexpr std::uint16_t all_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 33, 48, 63, 64, 65, 100};
constexpr std::uint16_t tile_sizes[] = {1, 2, 4, 8, 16};
constexpr std::uint16_t transposed_sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
// One less than, exactly and one more than vectors, cache lines and tiles hold, and one and two of them.
constexpr std::int64_t borders[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129};

TEST(RearrangeDifferential, TransposesOfBorderSizes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : borders) {
      for (const std::int64_t columns : borders) {
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {-columns, 1}, {1, -rows - 5}}), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Pitches that are multiples of a cache line, for non-temporal stores; several blocks and a tail.
TEST(RearrangeDifferential, AlignedTransposes) {
  Rearranger rearranger(1 << 22);
  const std::vector<BufferPlacement> placements{
      {false, 0, 0}, {false, 16, 0}, {false, 48, 5}, {false, 64, 0}, {false, 3, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : {60, 64, 70, 130, 300}) {
      for (const std::int64_t columns : {30, 64, 100, 130}) {
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {192, 1}, {1, 320}}, placements), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {192, 1}, {-1, 301}}, placements), "");
      }
    }
  }
}

// Unaligned rows beyond L1: rows of tiles go through a buffer, in parts, and the last tiles of both directions overlap
// the previous ones.
// A transpose of compact operands, and one of operands with gaps, backwards.
void expect_transposes(Rearranger& rearranger, std::uint16_t size, std::int64_t rows, std::int64_t columns,
                       const std::vector<BufferPlacement>& placements) {
  ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}, placements), "");
}

TEST(RearrangeDifferential, UnalignedTransposes) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : {15, 16, 17, 33, 47, 65, 131}) {
      for (const std::int64_t columns : {127, 144, 145, 153, 289, 305, 310}) {
        expect_transposes(rearranger, size, rows, columns, placements);
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Long rows of any alignment, with non-temporal stores by way of a packing buffer. The last panels have a row or two.
TEST(RearrangeDifferential, PackedTransposes) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    const std::int64_t kilobyte = 1024 / size, narrow = 64 / size;
    for (const std::int64_t rows :
         {narrow, narrow + 1, std::int64_t{63}, std::int64_t{64}, std::int64_t{65}, std::int64_t{131}}) {
      for (const std::int64_t columns :
           {kilobyte, kilobyte + 1, kilobyte + narrow - 1, kilobyte + 256 / size + 1, kilobyte + 128 / size + 2}) {
        expect_transposes(rearranger, size, rows, columns, placements);
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// The same with aligned rows, unless the memory is unaligned; with more rows than are packed at a time, and with rows
// of several blocks.
TEST(RearrangeDifferential, PackedTransposesOfManyRows) {
  Rearranger rearranger(1 << 22);
  const std::vector<BufferPlacement> placements{{false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}}) {
    const std::int64_t line = 64 / size, block = 16384 / size;
    for (const std::int64_t columns : {2 * line, 2 * line + 1, 7 * line + 3, 16 * line + 5}) {
      const std::int64_t pitch = (columns + line - 1) / line * line;
      ASSERT_EQ(rearranger.difference({bytes(size), {515, columns}, {pitch, 1}, {1, 520}}, placements), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {1027, columns}, {pitch, 1}, {-1, 1027}}, placements), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {520, columns}, {pitch + 1, 1}, {1, -521}}, placements), "");
    }
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + line + 1}, {block + 2 * line, 1}, {1, 75}}, placements),
              "");
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + line + 1}, {block + line + 4, 1}, {-1, 70}}, placements),
              "");
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + 1}, {block + 3, 1}, {1, 70}}, placements), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Enough pages on either side for the loops to be blocked for the TLB.
TEST(RearrangeDifferential, TransposesBlockedForTheTlb) {
  Rearranger rearranger(1 << 23);
  const std::int64_t page = 4096;
  for (const std::int64_t inner : {4, 6, 7}) {
    const Pair pair{bytes(1), {256, 6, inner, 256}, {7 * page, 256, page, 1}, {1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(pair, {{false, 0, 0}}), "");
    // Inside another loop.
    const Pair more{
        bytes(1), {2, 128, 4, inner, 256}, {1024 * page, 8 * page, 256, page, 1}, {2048, 1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(more, {{false, 0, 0}}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

TEST(RearrangeDifferential, RowsOfBorderSizes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t size : all_sizes) {
    for (const std::int64_t row : borders) {
      // Padded, broadcast, reversed by rows, reversed by elements, gather, scatter, each element repeated.
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {row + 3, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row + 2, 1}, {0, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {-row, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {row, -1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {2 * row, 2}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {3 * row, 3}, {row, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {5, row}, {row, 1}, {1, 0}}), "");
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Interleave and deinterleave, flipped pixels, gray to colour, short rows.
TEST(RearrangeDifferential, ShortAxes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t size : tile_sizes) {
    for (const std::int64_t few : {2, 3, 4, 5, 6, 7, 8}) {
      for (const std::int64_t many : {3, 16, 21, 22, 43, 64, 65, 130, 200}) {
        ASSERT_EQ(rearranger.difference({bytes(size), {few, many}, {many, 1}, {1, few}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {1, many}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {-few, 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {1, 0}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {many, few}, {few, 1}, {few + 1, 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {3, many, few}, {few * many + 1, few, 1}, {2, 6, -6 * many}}),
                  "");
      }
    }
  }
}

// Rows of cache lines, and of a page and more, by non-temporal stores in several streams: along an axis with source
// strides of a page, or along the rows, with a remainder.
TEST(RearrangeDifferential, RowsInStreams) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::int64_t row : {64, 320, 1024, 1300, 4096, 5000, 16384, 20480, 33333}) {
    for (const std::int64_t rows : {2, 4, 5, 7, 9}) {
      if (row * rows > 150'000) continue;
      ASSERT_EQ(rearranger.difference({bytes(1), {rows, row}, {row, 1}, {row + 32, 1}}, placements), "");
      ASSERT_EQ(rearranger.difference({bytes(1), {rows, row}, {row + 3, 1}, {-row - 1, 1}}, placements), "");
      if (row > 5000) continue;
      for (const std::int64_t pages : {2, 4, 6, 9}) {
        const std::int64_t apart = rows * row + 8192;
        ASSERT_EQ(
            rearranger.difference({bytes(1), {rows, pages, row}, {pages * row, row, 1}, {row, apart, 1}}, placements),
            "");
        ASSERT_EQ(
            rearranger.difference(
                {bytes(1), {rows, pages, row}, {pages * row, row, 1}, {row + 64, -apart - std::int64_t{9} * 64, 1}},
                placements),
            "");
        // Broadcast rows, on other pages along the other axis.
        ASSERT_EQ(
            rearranger.difference({bytes(1), {rows, pages, row}, {pages * row, row, 1}, {0, apart, 1}}, placements),
            "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Contiguous destination rows, several of which fill whole cache lines: from four tiles on, with a tail.
TEST(RearrangeDifferential, RowsThatShareLines) {
  Rearranger rearranger(1 << 20);
  for (const std::int64_t row : {3, 5, 6, 7, 9, 10, 12, 14, 20, 24, 28, 40, 48, 56}) {
    const std::int64_t cell = 64 / (row & -row);
    for (const std::int64_t count : {4 * cell, 4 * cell + 1, 5 * cell - 1, 9 * cell + cell / 2}) {
      for (const std::int64_t apart : Numbers{row + 1, row + 9, -row, -row - 3, 0, 2 * row + 5, 64, 128, -128, 200}) {
        ASSERT_EQ(rearranger.difference({bytes(1), {3, count, row}, {count * row, row, 1}, {7, apart, 1}}), "");
        ASSERT_EQ(
            rearranger.difference({bytes(1), {2, count, row}, {count * row + 5, row, 1}, {count * apart, apart, 1}}),
            "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

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
  std::int64_t left = 4000;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    pair.shape.push_back(std::min(left, *dlspec::testing::any_of(borders)));
    left /= pair.shape.back();
  }
  pair.shape = permuted(pair.shape, *dlspec::testing::permutation(rank));
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *dlspec::testing::injective_strides(pair.shape);
  if (*rc::gen::inRange(0, 4) == 0) pair.from[*rc::gen::inRange<std::size_t>(0, rank)] = 0;
  RC_ASSERT(rearranger.difference(pair, {{true, 0, 0}, {false, 0, 3}}) == "");
}

// Rows of whole cache lines and others; close together, on different pages, or broadcast along each axis.
RC_GTEST_PROP(RearrangeDifferential, RandomRows, ()) {
  static Rearranger rearranger(1 << 20);
  constexpr std::int64_t rows[] = {48, 64, 128, 320, 1024, 1100, 4096};
  constexpr std::int64_t extents[] = {2, 3, 4, 5, 8, 9};
  const auto rank = *rc::gen::inRange<std::size_t>(1, 4);
  const std::int64_t row = *dlspec::testing::any_of(rows);
  const std::int64_t steps[] = {0, row, row + 64, -row - 5, 4096, 8192 + 64, -12288};
  Pair pair{bytes(1), {}, {}, {}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    pair.shape.push_back(*dlspec::testing::any_of(extents));
    pair.from.push_back(*dlspec::testing::any_of(steps));
  }
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  const std::int64_t pitch = row + *rc::gen::inRange<std::int64_t>(0, 2) * 64;
  for (std::int64_t& step : pair.to) step *= pitch;
  pair.shape.push_back(row);
  pair.to.push_back(1);
  pair.from.push_back(1);
  RC_ASSERT(rearranger.difference(pair, {{true, 0, 0}, {false, 0, 3}}) == "");
}

// Destinations that may overlap: the statuses agree, too.
RC_GTEST_PROP(RearrangeDifferential, RandomDestinations, ()) {
  static Rearranger rearranger(1 << 20);
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(all_sizes));
  pair.shape = *dlspec::testing::small_shape(200);
  pair.to = *dlspec::testing::readable_strides(pair.shape);
  pair.from = *dlspec::testing::readable_strides(pair.shape);
  RC_ASSERT(rearranger.difference(pair) == "");
}

}  // namespace
}  // namespace dlspec::optimized::testing
