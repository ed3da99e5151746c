// Rearrangements beyond the small world, in every way, against the reference: sizes around the borders of
// vectors, tiles, lines and blocks, and random layouts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

abi::DataType bytes(std::uint16_t count) { return {kDLUInt, 8, count}; }

// Elements of 1 to 16 bytes, those between, and longer ones.
constexpr std::uint16_t items[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 33, 48, 63, 64, 65, 100};
constexpr std::uint16_t tile_items[] = {1, 2, 4, 8, 16};
constexpr std::uint16_t transposed_items[] = {1, 2, 3, 4, 6, 8, 12, 16};
// One below, at and one above what vectors, lines and tiles hold, and one and two of them.
constexpr std::int64_t borders[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129};

TEST(RearrangeDifferential, TransposesOfBorderSizes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t item : transposed_items) {
    for (const std::int64_t rows : borders) {
      for (const std::int64_t columns : borders) {
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns, 1}, {1, rows}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {-columns, 1}, {1, -rows - 5}}), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Pitches that are multiples of a line, so that stores past the caches are taken; some blocks and a bit.
TEST(RearrangeDifferential, AlignedTransposes) {
  Rearranger rearranger(1 << 22);
  const std::vector<Placement> places{{false, 0, 0}, {false, 16, 0}, {false, 48, 5}, {false, 64, 0}, {false, 3, 0}};
  for (const std::uint16_t item : transposed_items) {
    for (const std::int64_t rows : {60, 64, 70, 130, 300}) {
      for (const std::int64_t columns : {30, 64, 100, 130}) {
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {192, 1}, {1, 320}}, places), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {192, 1}, {-1, 301}}, places), "");
      }
    }
  }
}

// Rows that begin within lines, too large for the nearest cache: rows of tiles are staged, in parts, and the last tiles
// of both directions overlap those before them.
TEST(RearrangeDifferential, TransposesAcrossLines) {
  Rearranger rearranger(1 << 20);
  const std::vector<Placement> places{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::uint16_t item : transposed_items) {
    for (const std::int64_t rows : {15, 16, 17, 33, 47, 65, 131}) {
      for (const std::int64_t columns : {127, 144, 145, 153, 289, 305, 310}) {
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns, 1}, {1, rows}}, places), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}, places), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Long rows that begin anywhere in a line: past the caches by way of a stage. The last pieces have a row or two.
TEST(RearrangeDifferential, StagedTransposes) {
  Rearranger rearranger(1 << 20);
  const std::vector<Placement> places{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t item : transposed_items) {
    const std::int64_t kilobyte = 1024 / item, narrow = 64 / item;
    for (const std::int64_t rows :
         {narrow, narrow + 1, std::int64_t{63}, std::int64_t{64}, std::int64_t{65}, std::int64_t{131}}) {
      for (const std::int64_t columns :
           {kilobyte, kilobyte + 1, kilobyte + narrow - 1, kilobyte + 256 / item + 1, kilobyte + 128 / item + 2}) {
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns, 1}, {1, rows}}, places), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}, places), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// The same with rows that begin with lines, unless the memory does not; with more rows than are done at a time, and
// with rows of several blocks.
TEST(RearrangeDifferential, StagedTransposesOfManyRows) {
  Rearranger rearranger(1 << 22);
  const std::vector<Placement> places{{false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t item : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}}) {
    const std::int64_t line = 64 / item, block = 16384 / item;
    for (const std::int64_t columns : {2 * line, 2 * line + 1, 7 * line + 3, 16 * line + 5}) {
      const std::int64_t pitch = (columns + line - 1) / line * line;
      ASSERT_EQ(rearranger.difference({bytes(item), {515, columns}, {pitch, 1}, {1, 520}}, places), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {1027, columns}, {pitch, 1}, {-1, 1027}}, places), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {520, columns}, {pitch + 1, 1}, {1, -521}}, places), "");
    }
    ASSERT_EQ(rearranger.difference({bytes(item), {70, block + line + 1}, {block + 2 * line, 1}, {1, 75}}, places), "");
    ASSERT_EQ(rearranger.difference({bytes(item), {70, block + line + 1}, {block + line + 4, 1}, {-1, 70}}, places),
              "");
    ASSERT_EQ(rearranger.difference({bytes(item), {70, block + 1}, {block + 3, 1}, {1, 70}}, places), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// So many pages on either side that the loops go through them square by square.
TEST(RearrangeDifferential, TransposesFromPageToPage) {
  Rearranger rearranger(1 << 23);
  const std::int64_t page = 4096;
  for (const std::int64_t inner : {4, 6, 7}) {
    const Pair pair{bytes(1), {256, 6, inner, 256}, {7 * page, 256, page, 1}, {1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(pair, {{false, 0, 0}}), "");
    // Within another loop.
    const Pair more{
        bytes(1), {2, 128, 4, inner, 256}, {1024 * page, 8 * page, 256, page, 1}, {2048, 1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(more, {{false, 0, 0}}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

TEST(RearrangeDifferential, RowsOfBorderSizes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t item : items) {
    for (const std::int64_t row : borders) {
      // Padded, repeated, backwards by rows, backwards by elements, every second, to every second, repeated each.
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row, 1}, {row + 3, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row + 2, 1}, {0, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row, 1}, {-row, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row, 1}, {row, -1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row, 1}, {2 * row, 2}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {3 * row, 3}, {row, 1}}), "");
      ASSERT_EQ(rearranger.difference({bytes(item), {5, row}, {row, 1}, {1, 0}}), "");
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Interleaving and taking apart, mirrored pixels, gray to colour, short rows.
TEST(RearrangeDifferential, ShortAxes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t item : tile_items) {
    for (const std::int64_t few : {2, 3, 4, 5, 6, 7, 8}) {
      for (const std::int64_t many : {3, 16, 21, 22, 43, 64, 65, 130, 200}) {
        ASSERT_EQ(rearranger.difference({bytes(item), {few, many}, {many, 1}, {1, few}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {many, few}, {few, 1}, {1, many}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {many, few}, {few, 1}, {-few, 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {many, few}, {few, 1}, {1, 0}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {many, few}, {few, 1}, {few + 1, 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(item), {3, many, few}, {few * many + 1, few, 1}, {2, 6, -6 * many}}),
                  "");
      }
    }
  }
}

// Rows of lines, and of a page and more, that go past the caches in several streams: along an axis that leads from page
// to page in the source, or along the rows, with some that are left over.
TEST(RearrangeDifferential, RowsInStreams) {
  Rearranger rearranger(1 << 20);
  const std::vector<Placement> places{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::int64_t row : {64, 320, 1024, 1300, 4096, 5000, 16384, 20480, 33333}) {
    for (const std::int64_t rows : {2, 4, 5, 7, 9}) {
      if (row * rows > 150'000) continue;
      ASSERT_EQ(rearranger.difference({bytes(1), {rows, row}, {row, 1}, {row + 32, 1}}, places), "");
      ASSERT_EQ(rearranger.difference({bytes(1), {rows, row}, {row + 3, 1}, {-row - 1, 1}}, places), "");
      if (row > 5000) continue;
      for (const std::int64_t pages : {2, 4, 6, 9}) {
        const std::int64_t apart = rows * row + 8192;
        ASSERT_EQ(rearranger.difference({bytes(1), {rows, pages, row}, {pages * row, row, 1}, {row, apart, 1}}, places),
                  "");
        ASSERT_EQ(rearranger.difference(
                      {bytes(1), {rows, pages, row}, {pages * row, row, 1}, {row + 64, -apart - 9 * 64, 1}}, places),
                  "");
        // Rows that are repeated, and lie on other pages along the other axis.
        ASSERT_EQ(rearranger.difference({bytes(1), {rows, pages, row}, {pages * row, row, 1}, {0, apart, 1}}, places),
                  "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Rows that lie next to each other in the destination, of which several fill some lines: from four cells of these on,
// with what is left over.
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
    for (const std::uint16_t item : items) ASSERT_EQ(rearranger.difference({bytes(item), shape, to, from}), "");
    // Backwards along all axes, along every second, and along the widest of the source only.
    for (const unsigned backwards : {~0u, 0xAAAu, 0x555u, 1u << (rank - 1)}) {
      Numbers back = from;
      for (std::size_t i = 0; i < back.size(); ++i) back[i] = (backwards >> i & 1) != 0 ? -from[i] : from[i];
      for (const std::uint16_t item : tile_items) ASSERT_EQ(rearranger.difference({bytes(item), shape, to, back}), "");
    }
  }
}

// Sides of several tiles, the last of which are not full.
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
    for (const std::uint16_t item : tile_items) ASSERT_EQ(rearranger.difference({bytes(item), shape, to, from}), "");
    from[0] = -1;
    for (const std::uint16_t item : tile_items) ASSERT_EQ(rearranger.difference({bytes(item), shape, to, from}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Long enough for several blocks of every method, and so for several threads.
TEST(RearrangeDifferential, LongCopies) {
  Rearranger rearranger(1 << 21);
  const std::vector<Placement> places{{true, 0, 0}, {false, 5, 0}, {false, 64, 9}};
  ASSERT_EQ(rearranger.difference({bytes(1), {1'000'003}, {1}, {1}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(1), {145'000}, {1}, {1}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(1), {333'333}, {1}, {3}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {100'003}, {2}, {1}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(2), {300'007}, {1}, {-1}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(8), {50'001}, {1}, {0}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {40, 9001}, {9001, 1}, {1, 40}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(4), {9001, 40}, {40, 1}, {1, 9001}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(3), {300, 301}, {301, 1}, {1, 300}}, places), "");
  ASSERT_EQ(rearranger.difference({bytes(12), {100, 101}, {101, 1}, {1, 100}}, places), "");
  ASSERT_EQ(rearranger.difference(
                {bytes(4), {31, 33, 35, 7}, {33 * 35 * 7, 35 * 7, 7, 1}, {1, 31, 33 * 31 * 7, 33 * 31}}, places),
            "");
  ASSERT_EQ(rearranger.difference({bytes(128), {6, 50, 7}, {350, 7, 1}, {7, 42, 1}}, places), "");
}

Numbers at_places(const Numbers& numbers, const std::vector<std::size_t>& places) {
  Numbers moved(numbers.size());
  for (std::size_t i = 0; i < places.size(); ++i) moved[places[i]] = numbers[i];
  return moved;
}

RC_GTEST_PROP(RearrangeDifferential, RandomLayouts, ()) {
  static Rearranger rearranger(1 << 20);
  Pair pair;
  pair.dtype =
      bytes(*rc::gen::arbitrary<bool>() ? *dlspec::testing::any_of(items) : *dlspec::testing::any_of(tile_items));
  pair.shape = *dlspec::testing::small_shape(2000);
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *rc::gen::arbitrary<bool>() ? *dlspec::testing::readable_strides(pair.shape)
                                          : *dlspec::testing::injective_strides(pair.shape);
  RC_ASSERT(rearranger.difference(pair) == "");
}

// Rank to 8, with extents around the borders of vectors and tiles.
RC_GTEST_PROP(RearrangeDifferential, RandomBorders, ()) {
  static Rearranger rearranger(1 << 20);
  const auto rank = *rc::gen::inRange<std::size_t>(1, 9);
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(tile_items));
  std::int64_t left = 4000;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    pair.shape.push_back(std::min(left, *dlspec::testing::any_of(borders)));
    left /= pair.shape.back();
  }
  pair.shape = at_places(pair.shape, *dlspec::testing::permutation(rank));
  pair.to = *dlspec::testing::injective_strides(pair.shape);
  pair.from = *dlspec::testing::injective_strides(pair.shape);
  if (*rc::gen::inRange(0, 4) == 0) pair.from[*rc::gen::inRange<std::size_t>(0, rank)] = 0;
  RC_ASSERT(rearranger.difference(pair, {{true, 0, 0}, {false, 0, 3}}) == "");
}

// Rows of whole lines and others, near each other, on pages of their own or the same one again along each axis.
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

// Destinations that may overlap: the answers agree, too.
RC_GTEST_PROP(RearrangeDifferential, RandomDestinations, ()) {
  static Rearranger rearranger(1 << 20);
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(items));
  pair.shape = *dlspec::testing::small_shape(200);
  pair.to = *dlspec::testing::readable_strides(pair.shape);
  pair.from = *dlspec::testing::readable_strides(pair.shape);
  RC_ASSERT(rearranger.difference(pair) == "");
}

}  // namespace
}  // namespace dlspec::optimized::testing
