#include <dlspec/optimized/rearrange/plan/tile_offsets.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

// The axis with this byte stride in one operand.
std::size_t axis_with_stride(const Geometry& geometry, bool to, std::int64_t stride) {
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if ((to ? geometry.axes[i].to : magnitude(geometry.axes[i].from)) == stride) return i;
  }
  return max_rank;
}

// Adds an axis to the table of a side: repeats the offsets so far for each of its elements.
void append_axis(std::int64_t* table, std::int64_t& count, std::int64_t extent, std::int64_t stride) {
  for (std::int64_t index = 1; index < extent; ++index) {
    for (std::int64_t i = 0; i < count; ++i) table[index * count + i] = table[i] + index * stride;
  }
  count *= extent;
}

}  // namespace

bool make_tile_offsets(const Geometry& geometry, std::int64_t max_rows, bool may_split, TileAxes& axes,
                       TileOffsets& offsets) noexcept {
  axes = {};
  offsets.inner_a = offsets.inner_b = 1;
  offsets.from_start = offsets.to_start = 0;
  offsets.from[0] = offsets.to[0] = 0;
  for (const bool to : {true, false}) {
    std::int64_t& count = to ? offsets.inner_a : offsets.inner_b;
    std::int64_t* const table = to ? offsets.from : offsets.to;
    for (;;) {
      const std::size_t i = axis_with_stride(geometry, to, count * geometry.run);
      if (i == max_rank || (axes.whole >> i & 1) != 0 || i == axes.axis_a) break;
      const Axis& axis = geometry.axes[i];
      const std::int64_t fit = max_rows / count, stride = to ? axis.from : axis.to;
      if (axis.extent > fit) {
        if (!may_split || fit == 1 || (!to && axis.from < 0)) break;
        (to ? axes.axis_a : axes.axis_b) = i;
        (to ? axes.extent_a : axes.extent_b) = fit;
        std::int64_t all = count;
        append_axis(table, all, fit, stride);
        break;
      }
      if (!to && axis.from < 0) {  // reversed, so that source addresses ascend
        offsets.from_start += (axis.extent - 1) * axis.from;
        offsets.to_start += (axis.extent - 1) * axis.to;
        append_axis(table, count, axis.extent, -stride);
      } else {
        append_axis(table, count, axis.extent, stride);
      }
      axes.whole |= std::uint64_t{1} << i;
    }
  }
  return offsets.inner_a * axes.extent_a > 1 && offsets.inner_b * axes.extent_b > 1;
}

}  // namespace dlspec::optimized
