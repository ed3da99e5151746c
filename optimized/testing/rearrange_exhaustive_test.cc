// Every rearrangement of a small world, in every way, against the reference.
//
// The world: rank 0 to 3, extents 0 to 3; the source in every order of its axes, tight, padded or with one axis
// repeated, each axis forwards and backwards; the destination in every order, tight or padded, forwards and
// backwards; elements of 1 to 16 bytes; each in four placements. Axes of extent 0 and 1 have one direction only.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t most_rank = 2;
#else
constexpr std::size_t most_rank = 3;
#endif

// Elements of so many bytes each.
constexpr std::uint16_t item_lanes[] = {1, 2, 4, 8, 16};

void each_shape(std::size_t rank, const auto& visit, Numbers shape = {}) {
  if (shape.size() == rank) return visit(shape);
  for (std::int64_t extent = 0; extent <= 3; ++extent) {
    Numbers longer = shape;
    longer.push_back(extent);
    each_shape(rank, visit, longer);
  }
}

enum class Spacing { tight, padded, repeated };

// Strides in this order of the axes, the first one the innermost. Padded: a gap behind every row. Repeated: the
// innermost axis stands still.
Numbers strides_of(const Numbers& shape, const std::vector<std::size_t>& order, Spacing spacing) {
  Numbers strides(shape.size());
  std::int64_t next = spacing == Spacing::padded ? 2 : 1;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t axis = order[place];
    if (spacing == Spacing::repeated && place == 0) continue;
    strides[axis] = next;
    next = next * std::max<std::int64_t>(shape[axis], 1) + (spacing == Spacing::padded ? 1 : 0);
  }
  return strides;
}

// Calls visit with the strides in every combination of directions.
void each_direction(const Numbers& shape, Numbers& strides, std::size_t axis, const auto& visit) {
  if (axis == shape.size()) return visit(strides);
  each_direction(shape, strides, axis + 1, visit);
  if (shape[axis] < 2 || strides[axis] == 0) return;
  strides[axis] = -strides[axis];
  each_direction(shape, strides, axis + 1, visit);
  strides[axis] = -strides[axis];
}

std::vector<Numbers> layouts(const Numbers& shape, std::initializer_list<Spacing> spacings) {
  std::vector<Numbers> all;
  std::vector<std::size_t> order(shape.size());
  for (const Spacing spacing : spacings) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      Numbers strides = strides_of(shape, order, spacing);
      each_direction(shape, strides, 0, [&](const Numbers& found) { all.push_back(found); });
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return all;
}

TEST(RearrangeExhaustive, SmallLayouts) {
  Rearranger rearranger(1 << 13);
  std::int64_t pairs = 0;
  for (std::size_t rank = 0; rank <= most_rank; ++rank) {
    each_shape(rank, [&](const Numbers& shape) {
      const auto sources = layouts(shape, {Spacing::tight, Spacing::padded, Spacing::repeated});
      const auto destinations = layouts(shape, {Spacing::tight, Spacing::padded});
      for (const std::uint16_t lanes : item_lanes) {
        for (const Numbers& to : destinations) {
          for (const Numbers& from : sources) {
            ++pairs;
            const std::string difference = rearranger.difference({{kDLUInt, 8, lanes}, shape, to, from});
            ASSERT_EQ(difference, "");
          }
        }
      }
    });
  }
  EXPECT_EQ(pairs, most_rank == 3 ? 946690 : 8290) << "the world has changed";
  EXPECT_EQ(rearranger.compared(), pairs * static_cast<std::int64_t>(ways().size() * placements().size()));
  EXPECT_EQ(rearranger.refused(), 0);
}

}  // namespace
}  // namespace dlspec::optimized::testing
