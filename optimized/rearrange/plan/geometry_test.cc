#include <dlspec/optimized/rearrange/plan/geometry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <tuple>
#include <vector>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {

bool operator==(const Step& a, const Step& b) {
  return std::tie(a.extent, a.to, a.from) == std::tie(b.extent, b.to, b.from);
}
std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << step.extent << " steps to " << step.to << " from " << step.from;
}

namespace {

using Numbers = std::vector<std::int64_t>;
using Steps = std::vector<Step>;

Geometry geometry_of(const Numbers& shape, const Numbers& to, const Numbers& from, std::uint16_t item) {
  const abi::DataType dtype{kDLUInt, 8, item};
  Geometry geometry;
  EXPECT_EQ(normalise({dtype, shape, to.data()}, {dtype, shape, from.data()}, geometry), Status::ok);
  return geometry;
}

Steps axes_of(const Geometry& geometry) { return {geometry.axes, geometry.axes + geometry.rank}; }

// In whatever order the axes come, and whichever way they go: what lies compact on both sides is one run.
TEST(Geometry, OfCompactLayoutsIsOneRun) {
  const Numbers shape{2, 1, 5, 3, 4}, strides{60, 77, 12, 4, 1};
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    for (unsigned backwards = 0; backwards < 32; ++backwards) {
      Numbers extents, steps;
      for (const std::size_t axis : order) {
        extents.push_back(shape[axis]);
        steps.push_back((backwards >> axis & 1) != 0 ? -strides[axis] : strides[axis]);
      }
      const Geometry geometry = geometry_of(extents, steps, steps, 4);
      EXPECT_EQ(geometry.run, 480);
      EXPECT_EQ(geometry.rank, 0u);
      EXPECT_TRUE(geometry.same_places);
      EXPECT_EQ(geometry.to_start, geometry.to_range.begin);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t hard_extents[] = {1, 2, 3, std::int64_t{1} << 31, largest / 2 + 1, largest};
constexpr std::int64_t hard_strides[] = {0,
                                         1,
                                         -1,
                                         7,
                                         std::int64_t{1} << 31,
                                         -(std::int64_t{1} << 31),
                                         std::int64_t{1} << 58,
                                         -(std::int64_t{1} << 58),
                                         std::int64_t{1} << 60,
                                         -(std::int64_t{1} << 60),
                                         -(std::int64_t{1} << 62),
                                         largest / 2,
                                         largest,
                                         -largest - 1};

// Of at least one element, in numbers of 128 bits.
Status exact_range(const View& view, std::int64_t item, ByteRange& range) {
  std::int64_t count = 0;
  if (const Status status = count_elements(view.shape, count); status != Status::ok) return status;
  const Reach reach = reach_of(view.shape, view.strides, count);
  if (!fits_in_bytes(reach.span(), static_cast<std::uint32_t>(item * 8))) return Status::size_overflow;
  range = {static_cast<std::int64_t>(reach.low * item), static_cast<std::int64_t>((reach.high + 1) * item)};
  return Status::ok;
}

void expect_ranges(const View& destination, const View& source, std::int64_t item) {
  ByteRange to{}, from{};
  Status expected = exact_range(destination, item, to);
  if (expected == Status::ok) expected = exact_range(source, item, from);
  Geometry geometry;
  ASSERT_EQ(normalise(destination, source, geometry), expected);
  if (expected != Status::ok) return;
  ASSERT_EQ(std::tie(geometry.to_range.begin, geometry.to_range.end), std::tie(to.begin, to.end));
  ASSERT_EQ(std::tie(geometry.from_range.begin, geometry.from_range.end), std::tie(from.begin, from.end));
}

TEST(Geometry, ReachesWhatEachLayoutReaches) {
  static constexpr std::uint16_t items[] = {1, 3, 8, 16};
  for (const std::uint16_t item : items) {
    const abi::DataType dtype{kDLUInt, 8, item};
    for (const std::int64_t outer : hard_extents) {
      for (const std::int64_t inner : hard_extents) {
        const Numbers shape{outer, inner};
        for (const std::int64_t first : hard_strides) {
          for (const std::int64_t second : hard_strides) {
            const Numbers there{first, second}, back{second, first};
            SCOPED_TRACE(testing::Message()
                         << outer << " x " << inner << " of " << item << " bytes: " << first << ", " << second);
            expect_ranges({dtype, shape, there.data()}, {dtype, shape, back.data()}, item);
            expect_ranges({dtype, shape, nullptr}, {dtype, shape, there.data()}, item);
            expect_ranges({dtype, shape, there.data()}, {dtype, shape, nullptr}, item);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Whichever side has it, and whatever else is wrong with the shapes.
TEST(Geometry, HasNoNegativeExtents) {
  const abi::DataType dtype{kDLUInt, 8, 1};
  const Numbers shapes[] = {{2, 3}, {2}, {2, -3}, {-1}, {0, -1}}, strides{1, 1};
  for (const Numbers& to : shapes) {
    for (const Numbers& from : shapes) {
      Geometry geometry;
      const bool negative =
          *std::min_element(to.begin(), to.end()) < 0 || *std::min_element(from.begin(), from.end()) < 0;
      EXPECT_EQ(normalise({dtype, to, strides.data()}, {dtype, from, strides.data()}, geometry),
                negative     ? Status::bad_extent
                : to == from ? Status::ok
                             : Status::shape_mismatch);
    }
  }
}

TEST(Geometry, StandsInnermostFirstByTheDestination) {
  const Geometry geometry = geometry_of({3, 4, 5}, {5, 15, 1}, {20, 5, -1}, 2);
  EXPECT_EQ(geometry.run, 2);
  EXPECT_EQ(axes_of(geometry), (Steps{{5, 2, -2}, {3, 10, 40}, {4, 30, 10}}));
  EXPECT_EQ(geometry.from_start, 0);
}

TEST(Geometry, GoesUpInTheDestination) {
  const Geometry geometry = geometry_of({4, 6}, {-6, 1}, {1, 4}, 1);
  EXPECT_EQ(axes_of(geometry), (Steps{{6, 1, 4}, {4, 6, -1}}));
  EXPECT_EQ(geometry.to_start, -18);
  EXPECT_EQ(geometry.from_start, 3);
}

TEST(Geometry, MergesWhatContinuesOnBothSidesOnly) {
  // Compact rows that lie apart in the source; rows apart on both sides; every second element of two axes.
  EXPECT_EQ(axes_of(geometry_of({3, 4}, {4, 1}, {8, 1}, 1)), (Steps{{3, 4, 8}}));
  EXPECT_EQ(axes_of(geometry_of({2, 3, 4}, {24, 8, 1}, {36, 12, 1}, 1)), (Steps{{6, 8, 12}}));
  EXPECT_EQ(axes_of(geometry_of({5, 4}, {4, 1}, {8, 2}, 1)), (Steps{{20, 1, 2}}));
  EXPECT_EQ(axes_of(geometry_of({5, 4}, {4, 1}, {9, 2}, 1)), (Steps{{4, 1, 2}, {5, 4, 9}}));
}

TEST(Geometry, HasNoRunOverGapsOfTheSource) {
  EXPECT_EQ(geometry_of({4, 8}, {8, 1}, {8, 1}, 3).run, 96);
  EXPECT_EQ(geometry_of({4, 8}, {8, 1}, {9, 1}, 3).run, 24);
  EXPECT_EQ(geometry_of({8}, {1}, {2}, 3).run, 3);
  EXPECT_EQ(geometry_of({8}, {1}, {0}, 3).run, 3);
  EXPECT_EQ(geometry_of({8}, {1}, {-1}, 3).run, 3);
}

}  // namespace
}  // namespace dlspec::optimized
