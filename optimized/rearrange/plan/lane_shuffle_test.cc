// Simulates lane shuffles: what they write, where it comes from, and what they read.
#include <dlspec/optimized/rearrange/plan/lane_shuffle.h>

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
using Bytes = std::map<std::int64_t, std::int64_t>;  // source offset by destination offset

constexpr std::int64_t page_size = 4096;

struct Made {
  Geometry geometry;
  ShuffleTile tile;
  ByteShuffle byte_shuffle;
  LaneShuffle lane_shuffle;
};

// Fills `made` only if this layout has a lane shuffle.
bool make(std::int64_t element_size, const Numbers& shape, const Numbers& to, const Numbers& from, std::int64_t width,
          Made& made) {
  const abi::DataType dtype{kDLUInt, 8, static_cast<std::uint16_t>(element_size)};
  return normalise({dtype, shape, to.data()}, {dtype, shape, from.data()}, made.geometry) == Status::ok &&
         made.geometry.bytes != 0 && make_byte_shuffle(made.geometry, made.tile, made.byte_shuffle) &&
         make_lane_shuffle(made.geometry, made.tile, made.byte_shuffle, width, made.lane_shuffle);
}

// By the geometry.
Bytes moved_by_tile(const Made& made) {
  Bytes bytes;
  const Geometry& geometry = made.geometry;
  for (std::int64_t i = 0; i < geometry.run; ++i) bytes[i] = i;
  for (std::size_t axis = 0; axis < geometry.rank; ++axis) {
    const Bytes before = bytes;
    for (std::int64_t index = 1; index < made.tile.extents[axis]; ++index) {
      for (const auto& [to, from] : before) {
        bytes[to + index * geometry.axes[axis].to] = from + index * geometry.axes[axis].from;
      }
    }
  }
  return bytes;
}

// By the lane shuffle; -1 if a byte comes from nowhere, or from two places.
Bytes moved_by_shuffle(const LaneShuffle& lane_shuffle, std::int64_t lanes) {
  Bytes bytes;
  for (std::size_t v = 0; v < lane_shuffle.vectors; ++v) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (std::int64_t i = 0; i < lane_width; ++i) {
        std::set<std::int64_t> sources;
        for (std::size_t step = lane_shuffle.first[v]; step < lane_shuffle.first[v + 1]; ++step) {
          const std::uint8_t control = lane_shuffle.control[step][lane * lane_width + i];
          if (control < 128) sources.insert(lane_shuffle.from[step][lane] + control);
        }
        bytes[lane_shuffle.to[v][lane] + i] = sources.size() == 1 ? *sources.begin() : -1;
      }
    }
  }
  return bytes;
}

// Every page that is read holds an element, wherever pages begin.
void expect_no_foreign_page(const LaneShuffle& lane_shuffle, std::int64_t lanes, const Bytes& tile) {
  std::set<std::int64_t> elements;
  for (const auto& [to, from] : tile) elements.insert(from);
  for (std::size_t step = 0; step < lane_shuffle.first[lane_shuffle.vectors]; ++step) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (const std::int64_t read : {lane_shuffle.from[step][lane], lane_shuffle.from[step][lane] + lane_width - 1}) {
        const auto behind = elements.lower_bound(read);
        ASSERT_NE(behind, elements.end()) << "read behind the last element";
        if (*behind == read) continue;
        ASSERT_NE(behind, elements.begin()) << "read before the first element";
        ASSERT_LE(*behind - *std::prev(behind), page_size);
      }
    }
  }
}

void expect_right(const Made& made, std::int64_t width) {
  const Bytes tile = moved_by_tile(made);
  ASSERT_EQ(moved_by_shuffle(made.lane_shuffle, width / lane_width), tile);
  expect_no_foreign_page(made.lane_shuffle, width / lane_width, tile);
}

struct Layout {
  std::int64_t element_size;
  Numbers shape, to, from;
  std::size_t steps;  // for a vector of two lanes
};

// Each takes as few loads as hold a lane's bytes.
TEST(LaneShuffle, TakeFewSteps) {
  const Layout layouts[] = {
      {1, {1000}, {1}, {-1}, 1},                          // flipped
      {1, {64, 100, 3}, {300, 3, 1}, {100, 1, 6400}, 3},  // planes to pixels
      {1, {3, 64, 100}, {6400, 100, 1}, {1, 300, 3}, 3},  // pixels to planes
      {1, {100, 3}, {3, 1}, {1, 0}, 1},                   // gray to colour
      {4, {1000}, {1}, {2}, 2},                           // every second
      {4, {1000, 2}, {2, 1}, {1, 1000}, 2},               // interleaves two arrays
      {4, {3, 1000}, {1000, 1}, {1, 3}, 2},               // fields of a struct
  };
  for (const Layout& layout : layouts) {
    for (const std::int64_t width : {16, 32}) {
      Made made;
      ASSERT_TRUE(make(layout.element_size, layout.shape, layout.to, layout.from, width, made)) << layout.steps;
      expect_right(made, width);
      for (std::size_t v = 0; v < made.lane_shuffle.vectors; ++v) {
        EXPECT_LE(made.lane_shuffle.first[v + 1] - made.lane_shuffle.first[v], layout.steps) << width;
      }
    }
  }
}

// Rows shorter than a lane, far apart: nothing else may be read on one side, nor written on the other.
TEST(LaneShuffle, RefuseShortRows) {
  Made made;
  EXPECT_FALSE(make(1, {100, 8}, {8, 1}, {5000, -1}, 32, made));
  EXPECT_FALSE(make(1, {100, 15}, {16, 1}, {15, -1}, 32, made));
  EXPECT_TRUE(make(1, {100, 16}, {17, 1}, {16, -1}, 32, made));
  expect_right(made, 32);
}

// The tail tile begins as far after the last full tile as the tail is long: 327 = 5 * 64 + 7.
TEST(LaneShuffle, EndTheTailTileAtTheEnd) {
  Made made;
  ASSERT_TRUE(make(1, {327}, {1}, {-1}, 32, made));
  EXPECT_EQ(made.byte_shuffle.full_tiles, 5);
  EXPECT_EQ(made.lane_shuffle.tail_to, 7);
  EXPECT_EQ(made.lane_shuffle.tail_from, -7);
  ASSERT_TRUE(make(1, {320}, {1}, {-1}, 32, made));
  EXPECT_EQ(made.lane_shuffle.tail_to, 0);
}

RC_GTEST_PROP(LaneShuffle, AreRight, ()) {
  const auto element_size = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 8, 12, 16, 20, 31, 48);
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
  const bool taken = make(element_size, shape, to, from, width, made);
  RC_TAG(taken);
  if (!taken) return;
  expect_right(made, width);
  RC_ASSERT(!::testing::Test::HasFatalFailure());
}

}  // namespace
}  // namespace dlspec::optimized
