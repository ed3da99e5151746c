#include <dlspec/optimized/rearrange/plan/weave.h>

#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

// The axis whose items lie `covered` bytes apart on one side.
std::size_t axis_at(const Geometry& geometry, bool to, std::int64_t covered) {
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if ((to ? geometry.axes[i].to : magnitude(geometry.axes[i].from)) == covered) return i;
  }
  return highest_rank;
}

// Adds an axis to the table of a side: the places so far once more for each of its items.
void repeat(std::int64_t* table, std::int64_t& places, std::int64_t items, std::int64_t step) {
  for (std::int64_t item = 1; item < items; ++item) {
    for (std::int64_t i = 0; i < places; ++i) table[item * places + i] = table[i] + item * step;
  }
  places *= items;
}

}  // namespace

bool make_weave(const Geometry& geometry, std::int64_t side, bool cuts, Sides& sides, Weave& weave) noexcept {
  sides = {};
  weave.inner_a = weave.inner_b = 1;
  weave.from_start = weave.to_start = 0;
  weave.from[0] = weave.to[0] = 0;
  for (const bool to : {true, false}) {
    std::int64_t& places = to ? weave.inner_a : weave.inner_b;
    std::int64_t* const table = to ? weave.from : weave.to;
    for (;;) {
      const std::size_t i = axis_at(geometry, to, places * geometry.run);
      if (i == highest_rank || (sides.whole >> i & 1) != 0 || i == sides.axis_a) break;
      const Step& axis = geometry.axes[i];
      const std::int64_t fit = side / places, step = to ? axis.from : axis.to;
      if (axis.extent > fit) {
        if (!cuts || fit == 1 || (!to && axis.from < 0)) break;
        (to ? sides.axis_a : sides.axis_b) = i;
        (to ? sides.items_a : sides.items_b) = fit;
        std::int64_t all = places;
        repeat(table, all, fit, step);
        break;
      }
      if (!to && axis.from < 0) {  // upwards in the source, from its other end
        weave.from_start += (axis.extent - 1) * axis.from;
        weave.to_start += (axis.extent - 1) * axis.to;
        repeat(table, places, axis.extent, -step);
      } else {
        repeat(table, places, axis.extent, step);
      }
      sides.whole |= std::uint64_t{1} << i;
    }
  }
  return weave.inner_a * sides.items_a > 1 && weave.inner_b * sides.items_b > 1;
}

}  // namespace dlspec::optimized
