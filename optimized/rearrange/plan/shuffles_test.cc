// Programs in lanes, carried out on paper: what they write and where it comes from, and what they read for it.
#include <dlspec/optimized/rearrange/plan/shuffles.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;
using Bytes = std::map<std::int64_t, std::int64_t>;  // of the destination, and what each of them comes from

constexpr std::int64_t page = 4096;

struct Made {
  Geometry geometry;
  Cell cell;
  Program program;
  Shuffles shuffles;
};

// Only fills `made` if there is a program in lanes of this layout.
bool make(std::int64_t item, const Numbers& shape, const Numbers& to, const Numbers& from, std::int64_t width,
          Made& made) {
  const abi::DataType dtype{kDLUInt, 8, static_cast<std::uint16_t>(item)};
  return normalise({dtype, shape, to.data()}, {dtype, shape, from.data()}, made.geometry) == Status::ok &&
         made.geometry.bytes != 0 && make_program(made.geometry, made.cell, made.program) &&
         make_shuffles(made.geometry, made.cell, made.program, width, made.shuffles);
}

// By the geometry.
Bytes of_cell(const Made& made) {
  Bytes bytes;
  const Geometry& geometry = made.geometry;
  for (std::int64_t i = 0; i < geometry.run; ++i) bytes[i] = i;
  for (std::size_t axis = 0; axis < geometry.rank; ++axis) {
    const Bytes before = bytes;
    for (std::int64_t item = 1; item < made.cell.items[axis]; ++item) {
      for (const auto& [to, from] : before) {
        bytes[to + item * geometry.axes[axis].to] = from + item * geometry.axes[axis].from;
      }
    }
  }
  return bytes;
}

// By the shuffles; -1 where a byte comes from nowhere, or from two places.
Bytes of_shuffles(const Shuffles& shuffles, std::int64_t lanes) {
  Bytes bytes;
  for (std::size_t v = 0; v < shuffles.vectors; ++v) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (std::int64_t i = 0; i < lane_width; ++i) {
        std::set<std::int64_t> places;
        for (std::size_t step = shuffles.first[v]; step < shuffles.first[v + 1]; ++step) {
          const std::uint8_t control = shuffles.control[step][lane * lane_width + i];
          if (control < 128) places.insert(shuffles.from[step][lane] + control);
        }
        bytes[shuffles.to[v][lane] + i] = places.size() == 1 ? *places.begin() : -1;
      }
    }
  }
  return bytes;
}

// Is there an element on every page that is read, wherever pages begin?
void expect_no_foreign_page(const Shuffles& shuffles, std::int64_t lanes, const Bytes& cell) {
  std::set<std::int64_t> elements;
  for (const auto& [to, from] : cell) elements.insert(from);
  for (std::size_t step = 0; step < shuffles.first[shuffles.vectors]; ++step) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (const std::int64_t read : {shuffles.from[step][lane], shuffles.from[step][lane] + lane_width - 1}) {
        const auto behind = elements.lower_bound(read);
        ASSERT_NE(behind, elements.end()) << "read behind the last element";
        if (*behind == read) continue;
        ASSERT_NE(behind, elements.begin()) << "read before the first element";
        ASSERT_LE(*behind - *std::prev(behind), page);
      }
    }
  }
}

void expect_right(const Made& made, std::int64_t width) {
  const Bytes cell = of_cell(made);
  ASSERT_EQ(of_shuffles(made.shuffles, width / lane_width), cell);
  expect_no_foreign_page(made.shuffles, width / lane_width, cell);
}

struct Layout {
  std::int64_t item;
  Numbers shape, to, from;
  std::size_t steps;  // of a vector of two lanes
};

// Each takes as few places as hold a lane's bytes.
TEST(Shuffles, TakeFewSteps) {
  const Layout layouts[] = {
      {1, {1000}, {1}, {-1}, 1},                          // mirrored
      {1, {64, 100, 3}, {300, 3, 1}, {100, 1, 6400}, 3},  // planes to pixels
      {1, {3, 64, 100}, {6400, 100, 1}, {1, 300, 3}, 3},  // and back
      {1, {100, 3}, {3, 1}, {1, 0}, 1},                   // gray to colour
      {4, {1000}, {1}, {2}, 2},                           // every second
      {4, {1000, 2}, {2, 1}, {1, 1000}, 2},               // two arrays in turns
      {4, {3, 1000}, {1000, 1}, {1, 3}, 2},               // fields of a struct
  };
  for (const Layout& layout : layouts) {
    for (const std::int64_t width : {16, 32}) {
      Made made;
      ASSERT_TRUE(make(layout.item, layout.shape, layout.to, layout.from, width, made)) << layout.steps;
      expect_right(made, width);
      for (std::size_t v = 0; v < made.shuffles.vectors; ++v) {
        EXPECT_LE(made.shuffles.first[v + 1] - made.shuffles.first[v], layout.steps) << width;
      }
    }
  }
}

// Rows of less than a lane, far apart: on one side nothing else may be read, on the other nothing else be written.
TEST(Shuffles, RefuseShortRows) {
  Made made;
  EXPECT_FALSE(make(1, {100, 8}, {8, 1}, {5000, -1}, 32, made));
  EXPECT_FALSE(make(1, {100, 15}, {16, 1}, {15, -1}, 32, made));
  EXPECT_TRUE(make(1, {100, 16}, {17, 1}, {16, -1}, 32, made));
  expect_right(made, 32);
}

// What is left over is as far behind the last whole cell as it is long.
TEST(Shuffles, DoTheRestAgainstTheEnd) {
  Made made;
  ASSERT_TRUE(make(1, {64 * 5 + 7}, {1}, {-1}, 32, made));
  EXPECT_EQ(made.program.whole, 5);
  EXPECT_EQ(made.shuffles.rest_to, 7);
  EXPECT_EQ(made.shuffles.rest_from, -7);
  ASSERT_TRUE(make(1, {64 * 5}, {1}, {-1}, 32, made));
  EXPECT_EQ(made.shuffles.rest_to, 0);
}

RC_GTEST_PROP(Shuffles, AreRight, ()) {
  const auto item = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 8, 12, 16, 20, 31, 48);
  const auto width = *rc::gen::element<std::int64_t>(16, 32);
  const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
  Numbers shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(*rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 17, 40, 100));
  const Numbers to = *dlspec::testing::injective_strides(shape);
  Numbers from = *rc::gen::arbitrary<bool>() ? *dlspec::testing::readable_strides(shape)
                                             : *dlspec::testing::injective_strides(shape);
  const auto axis = *rc::gen::inRange<std::size_t>(0, 4 * rank);
  if (axis < rank && shape[axis] > 1) from[axis] *= 500;  // pages apart
  Made made;
  const bool taken = make(item, shape, to, from, width, made);
  RC_TAG(taken);
  if (!taken) return;
  expect_right(made, width);
  RC_ASSERT(!::testing::Test::HasFatalFailure());
}

}  // namespace
}  // namespace dlspec::optimized
