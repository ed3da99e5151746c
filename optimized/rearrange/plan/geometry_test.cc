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

bool operator==(const Axis& a, const Axis& b) {
  return std::tie(a.extent, a.to, a.from) == std::tie(b.extent, b.to, b.from);
}
std::ostream& operator<<(std::ostream& out, const Axis& axis) {
  return out << axis.extent << " elements to " << axis.to << " from " << axis.from;
}

namespace {

using Numbers = std::vector<std::int64_t>;
using Axes = std::vector<Axis>;

Geometry geometry_of(const Numbers& shape, const Numbers& to, const Numbers& from, std::uint16_t element_size) {
  const abi::DataType dtype{kDLUInt, 8, element_size};
  Geometry geometry;
  EXPECT_EQ(normalise({dtype, shape, to.data()}, {dtype, shape, from.data()}, geometry), Status::ok);
  return geometry;
}

Axes axes_of(const Geometry& geometry) { return {geometry.axes, geometry.axes + geometry.rank}; }

// Whatever the order and direction of the axes: a layout that is compact on both sides is one run.
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
      EXPECT_TRUE(geometry.same_layout);
      EXPECT_EQ(geometry.to_start, geometry.to_range.begin);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t hard_extents[] = {1, 2, 3, std::int64_t{1} << 31, max_int64 / 2 + 1, max_int64};
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
                                         max_int64 / 2,
                                         max_int64,
                                         -max_int64 - 1};

// At least one element, in 128-bit arithmetic.
Status exact_range(const View& view, std::int64_t element_size, ByteRange& range) {
  std::int64_t count = 0;
  if (const Status status = count_elements(view.shape, count); status != Status::ok) return status;
  const Reach reach = reach_of(view.shape, view.strides, count);
  if (!fits_in_bytes(reach.span(), static_cast<std::uint32_t>(element_size * 8))) return Status::size_overflow;
  range = {static_cast<std::int64_t>(reach.low * element_size),
           static_cast<std::int64_t>((reach.high + 1) * element_size)};
  return Status::ok;
}

void expect_ranges(const View& destination, const View& source, std::int64_t element_size) {
  ByteRange to{}, from{};
  Status expected = exact_range(destination, element_size, to);
  if (expected == Status::ok) expected = exact_range(source, element_size, from);
  Geometry geometry;
  ASSERT_EQ(normalise(destination, source, geometry), expected);
  if (expected != Status::ok) return;
  ASSERT_EQ(std::tie(geometry.to_range.begin, geometry.to_range.end), std::tie(to.begin, to.end));
  ASSERT_EQ(std::tie(geometry.from_range.begin, geometry.from_range.end), std::tie(from.begin, from.end));
}

TEST(Geometry, HasTheByteRangeOfEachLayout) {
  static constexpr std::uint16_t element_sizes[] = {1, 3, 8, 16};
  for (const std::uint16_t element_size : element_sizes) {
    const abi::DataType dtype{kDLUInt, 8, element_size};
    for (const std::int64_t outer : hard_extents) {
      for (const std::int64_t inner : hard_extents) {
        const Numbers shape{outer, inner};
        for (const std::int64_t first : hard_strides) {
          for (const std::int64_t second : hard_strides) {
            const Numbers there{first, second}, back{second, first};
            SCOPED_TRACE(testing::Message()
                         << outer << " x " << inner << " of " << element_size << " bytes: " << first << ", " << second);
            expect_ranges({dtype, shape, there.data()}, {dtype, shape, back.data()}, element_size);
            expect_ranges({dtype, shape, nullptr}, {dtype, shape, there.data()}, element_size);
            expect_ranges({dtype, shape, there.data()}, {dtype, shape, nullptr}, element_size);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// In either operand, and whatever else is wrong with the shapes.
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

TEST(Geometry, SortsAxesByDestinationStride) {
  const Geometry geometry = geometry_of({3, 4, 5}, {5, 15, 1}, {20, 5, -1}, 2);
  EXPECT_EQ(geometry.run, 2);
  EXPECT_EQ(axes_of(geometry), (Axes{{5, 2, -2}, {3, 10, 40}, {4, 30, 10}}));
  EXPECT_EQ(geometry.from_start, 0);
}

TEST(Geometry, HasPositiveDestinationStrides) {
  const Geometry geometry = geometry_of({4, 6}, {-6, 1}, {1, 4}, 1);
  EXPECT_EQ(axes_of(geometry), (Axes{{6, 1, 4}, {4, 6, -1}}));
  EXPECT_EQ(geometry.to_start, -18);
  EXPECT_EQ(geometry.from_start, 3);
}

TEST(Geometry, CoalescesAxesThatContinueOnBothSidesOnly) {
  // Compact rows with gaps in the source; gaps on both sides; every second element of two axes.
  EXPECT_EQ(axes_of(geometry_of({3, 4}, {4, 1}, {8, 1}, 1)), (Axes{{3, 4, 8}}));
  EXPECT_EQ(axes_of(geometry_of({2, 3, 4}, {24, 8, 1}, {36, 12, 1}, 1)), (Axes{{6, 8, 12}}));
  EXPECT_EQ(axes_of(geometry_of({5, 4}, {4, 1}, {8, 2}, 1)), (Axes{{20, 1, 2}}));
  EXPECT_EQ(axes_of(geometry_of({5, 4}, {4, 1}, {9, 2}, 1)), (Axes{{4, 1, 2}, {5, 4, 9}}));
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
