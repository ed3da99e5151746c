#include <dlspec/optimized/rearrange/plan/element_groups.h>

#include <dlspec/optimized/rearrange/plan/windows.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(window_width);

std::int64_t elements_in_vector(std::int64_t stride) {
  stride = magnitude(stride);
  return stride == 0 ? vector : stride >= vector ? 1 : vector / stride;
}

GroupSpan span_of(std::int64_t run, std::int64_t extents, std::int64_t stride, std::int64_t rows,
                  std::int64_t row_stride) {
  const std::int64_t last = (extents - 1) * stride, last_row = (rows - 1) * row_stride;
  GroupSpan span{min(0, last) + min(0, last_row), max(0, last) + max(0, last_row), 0};
  if (span.high - span.low > vector - run) return span;
  span.mask = repeat_mask(repeat_mask(bits_of(0, run), stride, extents), row_stride, rows);
  return span;
}

// Every stride is shorter than a vector.
ElementGroup group_of(std::int64_t run, const Axis& row, const Axis& rows) {
  return {row, rows, span_of(run, row.extent, row.to, rows.extent, rows.to),
          span_of(run, row.extent, row.from, rows.extent, rows.from)};
}

}  // namespace

void find_element_groups(const Geometry& geometry, const std::int64_t* extents, ElementGroups& groups) noexcept {
  groups.row_axis = groups.rows_axis = max_rank;
  Axis row{1, 0, 0};
  std::int64_t best = 2, min_group_stride = vector;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    const std::int64_t per_window = min(elements_in_vector(axis.to), elements_in_vector(axis.from));
    // An axis whose elements all fit one window counts double.
    const std::int64_t value = per_window >= extents[i] ? 2 * extents[i] : per_window;
    if (value > best) groups.row_axis = i, row = {extents[i], axis.to, axis.from}, best = value;
  }
  groups.row = groups.group = group_of(geometry.run, row, {1, 0, 0});
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    const std::int64_t stride = max(magnitude(axis.to), magnitude(axis.from));
    if (i == groups.row_axis || extents[i] == 1 || stride >= min_group_stride) continue;
    const ElementGroup group = group_of(geometry.run, row, {extents[i], axis.to, axis.from});
    if (group.to.mask == 0 || group.from.mask == 0) continue;
    groups.group = group, groups.rows_axis = i, min_group_stride = stride;
  }
}

}  // namespace dlspec::optimized
