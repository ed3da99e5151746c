// Rows with every engine and option, compared with the reference: of border sizes, short, in several streams of
// non-temporal stores, and several to a cache line.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/optimized/testing/border_sizes.h>
#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/generators.h>

namespace dlspec::optimized::testing {
namespace {

TEST(RearrangeRows, OfBorderSizes) {
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
TEST(RearrangeRows, ShortAxes) {
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
TEST(RearrangeRows, InStreams) {
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

// A row that is written several times, in pieces if it is long; an element that is, by non-temporal stores if that is
// wanted, from any place in a cache line on.
TEST(RearrangeRows, ThatAreBroadcast) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::int64_t row : {1000, 8191, 8192, 8193, 16384, 24000, 33333}) {
    for (const std::int64_t rows : {2, 5}) {
      ASSERT_EQ(rearranger.difference({bytes(1), {rows, row}, {row, 1}, {0, 1}}, placements), "");
      ASSERT_EQ(
          rearranger.difference({bytes(1), {2, rows, row}, {rows * row + 20, row + 3, 1}, {row, 0, 1}}, placements),
          "");
    }
  }
  Rearranger large(4 << 20);  // copies that L2 does not hold, of a row that it holds, and of one that it does not
  for (const std::int64_t row : {120'003, 530'001}) {
    ASSERT_EQ(large.difference({bytes(1), {5, row}, {row, 1}, {0, 1}}, placements), "");
    ASSERT_EQ(large.difference({bytes(1), {3, row}, {row + 20, 1}, {0, 1}}, placements), "");
  }
  EXPECT_EQ(large.refused(), 0);
  for (const std::uint16_t size : tile_sizes) {
    for (const std::int64_t row : {1024, 1040, 1087, 2000, 4096, 4101}) {
      const std::int64_t elements = row / size;
      ASSERT_EQ(rearranger.difference({bytes(size), {3, elements}, {elements + 1, 1}, {1, 0}}, placements), "");
      ASSERT_EQ(
          rearranger.difference({bytes(size), {2, 3, elements}, {elements, 2 * elements, 1}, {1, 2, 0}}, placements),
          "");
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Every engine, with ordinary stores, for caches that hold next to nothing, by the kernels of every processor.
std::vector<Way> ways_of_long_rows() {
  static const std::vector<Machine> small = [] {
    std::vector<Machine> result;
    for (std::size_t i = 0; i < core_count; ++i)
      result.push_back({.l1 = 1 << 10, .l2 = 1 << 10, .l3 = 1 << 12, .core = static_cast<Core>(i)});
    return result;
  }();
  std::vector<Way> result;
  for (const Engine& engine : engines()) {
    if (!engine.available()) continue;
    for (const Machine& machine : small) {
      if (instructions_of(machine.core) != machine.core) continue;
      for (const Method method : {Method::fill, Method::runs, Method::copy}) {
        PlanOptions options{.engine = &engine, .threads = 1, .stream_from = 1 << 30, .methods = methods_of(method)};
        options.narrower = false;
        options.machine = &machine;
        result.push_back({std::string(engine.name) + ", long rows, " + core_name(machine.core), options});
      }
    }
  }
  return result;
}

// Long rows, by string instructions where these are fast, from any place in a cache line on, and rows that are a little
// too short for them.
TEST(RearrangeRows, ThatAreLong) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{
      {true, 0, 0}, {false, 0, 0}, {false, 1, 3}, {false, 63, 0}, {true, 7, 0}};
  const std::vector<Way> chosen = ways_of_long_rows();
  for (const std::uint16_t size : all_sizes) {
    for (const std::int64_t row : {16383, 16384, 16385, 16511, 33333}) {
      const std::int64_t elements = row / size + 1;
      ASSERT_EQ(rearranger.difference({bytes(size), {2, elements}, {elements + 1, 1}, {1, 0}}, placements, chosen), "");
      ASSERT_EQ(
          rearranger.difference({bytes(size), {2, elements}, {elements, 1}, {elements + 1, 1}}, placements, chosen),
          "");
      ASSERT_EQ(rearranger.difference({bytes(size), {elements}, {1}, {1}}, placements, chosen), "");
    }
  }
  for (const std::int64_t row : {120'003, 530'001})
    ASSERT_EQ(rearranger.difference({bytes(1), {5, row}, {row + 20, 1}, {1, 0}}, placements, chosen), "");
  for (const std::int64_t run : {40, 64, 100, 333, 2000, 5952, 7001}) {  // repeated: 16 KiB and less, and more
    for (const std::int64_t repeats : {16384 / run, 32768 / run + 128, 40000 / run + 131})
      ASSERT_EQ(rearranger.difference({bytes(1), {2, repeats, run}, {repeats * run + 1, run, 1}, {run, 0, 1}},
                                      placements, chosen),
                "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Contiguous destination rows, several of which fill whole cache lines: from four tiles on, with a tail.
TEST(RearrangeRows, ThatShareLines) {
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

// Elements half a line to two lines apart, whose lines are prefetched: rows that are shorter and longer than that.
TEST(RearrangeRows, OfElementsThatAreReadAhead) {
  Rearranger rearranger(1 << 20);
  constexpr std::uint16_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
  for (const std::uint16_t size : sizes) {
    for (const std::int64_t step : {32, 33, 48, 64, 96, 128}) {
      for (const std::int64_t row : {31, 32, 33, 36, 37, 40, 101}) {
        const std::int64_t from = (step + size - 1) / size;
        ASSERT_EQ(rearranger.difference({bytes(size), {3, row}, {row, 1}, {row * from, from}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {3, row}, {3 * row, 2}, {row * from, from}}), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Rows of whole cache lines and others; close together, on different pages, or broadcast along each axis.
RC_GTEST_PROP(RearrangeRows, OfRandomSizes, ()) {
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

}  // namespace
}  // namespace dlspec::optimized::testing
