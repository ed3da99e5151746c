#include <dlspec/reference/descriptor/views.h>

#include <algorithm>
#include <limits>

#include <dlspec/reference/descriptor/broadcast.h>

namespace dlspec::reference {
namespace {

ViewResult judged(Strided view) {
  const InfiniStatus status = judge(view);
  if (status != InfiniStatus::success) return status;
  return view;
}

// The origin, moved by this number of steps of an axis; where it was in a view without elements.
std::int64_t moved_origin(const Strided& view, std::size_t axis, std::int64_t steps) {
  if (is_empty(view.shape)) return view.origin;
  return saturated(Wide(view.origin) + Wide(steps) * view.strides[axis]);
}

void insert_axis(Strided& view, std::size_t at, std::int64_t extent, std::int64_t stride) {
  view.shape.insert(view.shape.begin() + static_cast<std::ptrdiff_t>(at), extent);
  view.strides.insert(view.strides.begin() + static_cast<std::ptrdiff_t>(at), stride);
}

void remove_axis(Strided& view, std::size_t at) {
  view.shape.erase(view.shape.begin() + static_cast<std::ptrdiff_t>(at));
  view.strides.erase(view.strides.begin() + static_cast<std::ptrdiff_t>(at));
}

// The product of these extents in a stride: an extent of 0 counts as 1.
std::int64_t step_count(std::span<const std::int64_t> extents) {
  Wide count = 1;
  for (const std::int64_t extent : extents) count *= std::max<std::int64_t>(extent, 1);
  return saturated(count);
}

bool index_exists(const Strided& view, std::size_t axis, const Wide& index) {
  return !index.negative() && index < view.shape[axis];
}

}  // namespace

ViewResult permute(const Strided& view, std::span<const std::size_t> order) {
  if (order.size() != view.rank()) return InfiniStatus::bad_param;
  Strided result{{}, {}, view.origin};
  for (std::size_t axis = 0; axis < view.rank(); ++axis) {
    if (std::count(order.begin(), order.end(), axis) != 1) return InfiniStatus::bad_param;
  }
  for (const std::size_t axis : order) insert_axis(result, result.rank(), view.shape[axis], view.strides[axis]);
  return judged(result);
}

ViewResult squeeze(const Strided& view, std::size_t axis) {
  if (axis >= view.rank() || view.shape[axis] != 1) return InfiniStatus::bad_param;
  Strided result = view;
  remove_axis(result, axis);
  return judged(result);
}

ViewResult unsqueeze(const Strided& view, std::size_t axis) {
  if (axis > view.rank()) return InfiniStatus::bad_param;
  Strided result = view;
  insert_axis(result, axis, 1, 0);
  return judged(result);
}

ViewResult narrow(const Strided& view, std::size_t axis, std::int64_t start, std::int64_t length, std::int64_t step) {
  if (axis >= view.rank() || step == 0 || length < 0) return InfiniStatus::bad_param;
  const bool nothing_at_the_end = length == 0 && start == view.shape[axis];
  if (!nothing_at_the_end && !index_exists(view, axis, start)) return InfiniStatus::bad_param;
  if (length != 0 && !index_exists(view, axis, start + (Wide(length) - 1) * step)) return InfiniStatus::bad_param;
  Strided result = view;
  result.shape[axis] = length;
  if (length > 0) result.origin = moved_origin(view, axis, start);
  if (length > 1) result.strides[axis] = saturated(Wide(view.strides[axis]) * step);
  return judged(result);
}

ViewResult as_strided(const Strided& view, std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                      std::int64_t offset) {
  if (shape.size() != strides.size() || shape.size() > infini_max_rank) return InfiniStatus::bad_param;
  Strided result{{shape.begin(), shape.end()}, {strides.begin(), strides.end()}, view.origin};
  if (!extents_valid(shape)) return InfiniStatus::bad_tensor_shape;
  const auto range = reach(result.axes(), 8);
  if (!range) return judged(result);
  const auto whole = reach(view.axes(), 8);
  if (!whole || offset + range->low < whole->low || offset + range->high > whole->high) return InfiniStatus::bad_param;
  result.origin = saturated(Wide(view.origin) + offset);
  return judged(result);
}

ViewResult reverse(const Strided& view, std::size_t axis) {
  if (axis >= view.rank()) return InfiniStatus::bad_param;
  Strided result = view;
  if (view.shape[axis] > 1) {
    result.origin = moved_origin(view, axis, view.shape[axis] - 1);
    result.strides[axis] = saturated(-Wide(view.strides[axis]));
  }
  return judged(result);
}

ViewResult broadcast_to(const Strided& view, std::span<const std::int64_t> shape) {
  if (shape.size() > infini_max_rank) return InfiniStatus::bad_param;
  const auto strides = broadcast_strides(view.axes(), shape);
  if (!strides) return InfiniStatus::bad_tensor_shape;
  return judged({{shape.begin(), shape.end()}, *strides, view.origin});
}

ViewResult split(const Strided& view, std::size_t axis, std::span<const std::int64_t> extents) {
  if (axis >= view.rank() || view.rank() - 1 + extents.size() > infini_max_rank) return InfiniStatus::bad_param;
  if (!extents_valid(extents) || element_count(extents) != view.shape[axis]) return InfiniStatus::bad_param;
  Strided result = view;
  remove_axis(result, axis);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Wide stride = Wide(step_count(extents.subspan(i + 1))) * view.strides[axis];
    insert_axis(result, axis + i, extents[i], saturated(stride));
  }
  return judged(result);
}

bool is_mergeable(const Strided& view, std::size_t first, std::size_t last) {
  if (first > last || last >= view.rank()) return false;
  if (is_empty(view.shape)) return true;
  Wide expected;
  bool inner_seen = false;
  for (std::size_t axis = last + 1; axis-- > first;) {
    if (view.shape[axis] == 1) continue;
    if (view.strides[axis] == 0 || (inner_seen && view.strides[axis] != expected)) return false;
    expected = Wide(view.strides[axis]) * view.shape[axis];
    inner_seen = true;
  }
  return true;
}

ViewResult merge(const Strided& view, std::size_t first, std::size_t last) {
  if (!is_mergeable(view, first, last)) return InfiniStatus::bad_param;
  std::size_t inner = last;
  while (inner > first && view.shape[inner] == 1) --inner;
  if (view.shape[inner] == 1) inner = last;
  const std::int64_t stride = view.strides[inner];
  const auto extents = std::span(view.shape).subspan(first, last - first + 1);
  const auto product = element_count(extents).to_int64();
  if (!product) return InfiniStatus::bad_tensor_shape;
  Strided result = view;
  for (std::size_t axis = first; axis <= last; ++axis) remove_axis(result, first);
  insert_axis(result, first, *product, stride);
  return judged(result);
}

namespace {

// `count` elements at equal distances: adjacent axes that can be merged.
struct Run {
  Wide count;
  Wide stride;
};

// The view as the fewest runs, outermost first. The view has elements.
std::vector<Run> runs_of(const Strided& view) {
  std::vector<Run> runs;
  for (std::size_t axis = 0; axis < view.rank(); ++axis) {
    if (view.shape[axis] == 1) continue;
    const Wide stride = view.strides[axis];
    if (!runs.empty() && runs.back().stride == stride * view.shape[axis]) {
      runs.back() = {runs.back().count * view.shape[axis], stride};
    } else {
      runs.push_back({view.shape[axis], stride});
    }
  }
  return runs;
}

}  // namespace

ViewResult view_as(const Strided& view, std::span<const std::int64_t> shape) {
  if (shape.size() > infini_max_rank) return InfiniStatus::bad_param;
  if (!extents_valid(shape) || element_count(shape) != element_count(view.shape)) return InfiniStatus::bad_tensor_shape;
  Strided result{{shape.begin(), shape.end()}, compact_strides(shape), view.origin};
  if (is_empty(shape)) return judged(result);
  std::vector<Run> runs = runs_of(view);
  Wide left = 1, stride = 1;  // elements of the innermost run without an axis yet; the next axis's stride
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] == 1) {
      result.strides[axis] = saturated(stride);
      continue;
    }
    if (left == 1) {
      left = runs.back().count;
      stride = runs.back().stride;
      runs.pop_back();
    }
    if (floor_modulo(left, shape[axis]) != 0) return InfiniStatus::bad_tensor_strides;
    result.strides[axis] = saturated(stride);
    stride *= shape[axis];
    left = *left.to_int64() / shape[axis];  // at most the number of elements
  }
  return judged(result);
}

}  // namespace dlspec::reference
