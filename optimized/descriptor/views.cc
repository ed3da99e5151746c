#include <dlspec/optimized/descriptor/views.h>

#include <algorithm>

#include <dlspec/optimized/descriptor/extent.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr auto ok = InfiniStatus::success;
constexpr auto bad_param = InfiniStatus::bad_param;

std::int64_t saturated(Wide number) {
  return number > largest_int64 || number < -largest_int64 - 1 ? most : static_cast<std::int64_t>(number);
}

bool has_no_elements(std::span<const std::int64_t> shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

// Replaces `count` axes from `axis` on by `room` axes; the new ones are not filled in.
void resize(Strided& view, std::size_t axis, std::size_t count, std::size_t room) {
  for (auto* numbers : {&view.shape, &view.strides}) {
    const auto tail = numbers->begin() + axis + count, end = numbers->begin() + view.rank;
    if (room <= count) {
      std::copy(tail, end, numbers->begin() + axis + room);
    } else {
      std::copy_backward(tail, end, end + (room - count));
    }
  }
  view.rank = view.rank - count + room;
}

void move_origin(Strided& view, std::size_t axis, std::int64_t steps) {
  if (!has_no_elements(view.extents())) view.origin = saturated(Wide{view.origin} + Wide{steps} * view.strides[axis]);
}

void assign(Strided& view, std::span<const std::int64_t> shape) {
  std::copy(shape.begin(), shape.end(), view.shape.begin());
  view.rank = shape.size();
}

// The span of a geometry whose extents may multiply to anything; saturates beyond 2^64 elements.
struct Bounds {
  Wide low = 0, high = 0;
};
Bounds bounds_of(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  constexpr Wide far = Wide{1} << 65;
  Bounds bounds;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Wide last = Wide{shape[axis] - 1} * strides[axis];
    if (last < 0)
      bounds.low = std::max(bounds.low + last, -far);
    else
      bounds.high = std::min(bounds.high + last, far);
  }
  return bounds;
}

}  // namespace

InfiniStatus permute(Strided& view, std::span<const std::size_t> order) noexcept {
  if (order.size() != view.rank) return bad_param;
  std::uint64_t seen = 0;
  for (const std::size_t axis : order) {
    if (axis >= view.rank || (seen >> axis & 1) != 0) return bad_param;
    seen |= std::uint64_t{1} << axis;
  }
  std::array<std::int64_t, infini_max_rank> shape, strides;
  for (std::size_t axis = 0; axis < view.rank; ++axis) {
    shape[axis] = view.shape[order[axis]];
    strides[axis] = view.strides[order[axis]];
  }
  std::copy_n(shape.begin(), view.rank, view.shape.begin());
  std::copy_n(strides.begin(), view.rank, view.strides.begin());
  return ok;
}

InfiniStatus squeeze(Strided& view, std::size_t axis) noexcept {
  if (axis >= view.rank || view.shape[axis] != 1) return bad_param;
  resize(view, axis, 1, 0);
  return ok;
}

InfiniStatus unsqueeze(Strided& view, std::size_t axis) noexcept {
  if (axis > view.rank || view.rank == infini_max_rank) return bad_param;
  resize(view, axis, 0, 1);
  view.shape[axis] = 1;
  view.strides[axis] = 0;
  return ok;
}

InfiniStatus narrow(Strided& view, std::size_t axis, std::int64_t start, std::int64_t length,
                    std::int64_t step) noexcept {
  if (axis >= view.rank || step == 0 || length < 0 || start < 0) return bad_param;
  const std::int64_t extent = view.shape[axis];
  if (start > extent || (start == extent && length != 0)) return bad_param;
  if (length > 1) {
    const Wide last = start + Wide{length - 1} * step;
    if (last < 0 || last >= extent) return bad_param;
  }
  if (length > 0) move_origin(view, axis, start);
  if (length > 1) view.strides[axis] = saturated(Wide{view.strides[axis]} * step);
  view.shape[axis] = length;
  return ok;
}

InfiniStatus as_strided(Strided& view, std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                        std::int64_t offset) noexcept {
  if (shape.size() != strides.size() || shape.size() > infini_max_rank) return bad_param;
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; }))
    return InfiniStatus::bad_tensor_shape;
  if (!has_no_elements(shape)) {
    const Bounds wanted = bounds_of(shape, strides), whole = bounds_of(view.extents(), view.steps());
    if (has_no_elements(view.extents()) || offset + wanted.low < whole.low || offset + wanted.high > whole.high)
      return bad_param;
    std::int64_t count = 0;
    if (count_elements(shape, count) != Status::ok) return InfiniStatus::bad_tensor_shape;
    view.origin = saturated(Wide{view.origin} + offset);
  }
  assign(view, shape);
  std::copy(strides.begin(), strides.end(), view.strides.begin());
  return ok;
}

InfiniStatus reverse(Strided& view, std::size_t axis) noexcept {
  if (axis >= view.rank) return bad_param;
  if (view.shape[axis] < 2) return ok;
  move_origin(view, axis, view.shape[axis] - 1);
  view.strides[axis] = saturated(-Wide{view.strides[axis]});
  return ok;
}

InfiniStatus broadcast_to(Strided& view, std::span<const std::int64_t> shape) noexcept {
  if (shape.size() > infini_max_rank) return bad_param;
  if (shape.size() < view.rank) return InfiniStatus::bad_tensor_shape;
  const std::size_t added = shape.size() - view.rank;
  for (std::size_t axis = 0; axis < view.rank; ++axis) {
    if (view.shape[axis] != 1 && view.shape[axis] != shape[added + axis]) return InfiniStatus::bad_tensor_shape;
  }
  std::int64_t count = 0;
  if (count_elements(shape, count) != Status::ok) return InfiniStatus::bad_tensor_shape;
  for (std::size_t axis = view.rank; axis-- > 0;) {
    const bool stretched = view.shape[axis] != shape[added + axis];
    view.strides[added + axis] = stretched ? 0 : view.strides[axis];
  }
  std::fill_n(view.strides.begin(), added, 0);
  assign(view, shape);
  return ok;
}

InfiniStatus split(Strided& view, std::size_t axis, std::span<const std::int64_t> extents) noexcept {
  if (axis >= view.rank || extents.size() > infini_max_rank - (view.rank - 1)) return bad_param;
  std::int64_t count = 0;
  if (count_elements(extents, count) != Status::ok || count != view.shape[axis]) return bad_param;
  const Wide stride = view.strides[axis];
  resize(view, axis, 1, extents.size());
  std::int64_t steps = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    view.shape[axis + i] = extents[i];
    view.strides[axis + i] = saturated(steps * stride);
    steps = saturated(Wide{steps} * std::max<std::int64_t>(extents[i], 1));
  }
  return ok;
}

bool is_mergeable(const Strided& view, std::size_t first, std::size_t last) noexcept {
  if (first > last || last >= view.rank) return false;
  if (has_no_elements(view.extents())) return true;
  Wide expected = 0;  // strides of 0 are refused, so 0 means none yet
  for (std::size_t axis = last + 1; axis-- > first;) {
    const Wide stride = view.strides[axis];
    if (view.shape[axis] == 1) continue;
    if (stride == 0 || (expected != 0 && stride != expected)) return false;
    expected = stride * view.shape[axis];
  }
  return true;
}

InfiniStatus merge(Strided& view, std::size_t first, std::size_t last) noexcept {
  if (!is_mergeable(view, first, last)) return bad_param;
  std::int64_t count = 0;
  if (count_elements(view.extents().subspan(first, last - first + 1), count) != Status::ok)
    return InfiniStatus::bad_tensor_shape;
  std::int64_t stride = view.strides[last];
  for (std::size_t axis = first; axis <= last; ++axis) {
    if (view.shape[axis] != 1) stride = view.strides[axis];
  }
  resize(view, first, last - first + 1, 1);
  view.shape[first] = count;
  view.strides[first] = stride;
  return ok;
}

namespace {

// Walks the old axes from the innermost outwards, joins those that form one contiguous row, and distributes each row
// over the new axes. `left` new axes have no stride yet.
bool distribute(const Strided& view, std::span<const std::int64_t> shape, std::size_t left, std::int64_t* strides) {
  Wide row = 1, used = 1;
  Wide row_stride = 0, next = 0;  // of the row's innermost axis; the stride that would extend the row
  for (std::size_t axis = view.rank + 1; axis-- > 0;) {
    const bool end = axis == 0;
    const std::size_t old = end ? 0 : axis - 1;
    if (!end && view.shape[old] == 1) continue;
    if (row > 1 && (end || view.strides[old] != next)) {
      while (left > 0 && (used < row || shape[left - 1] == 1)) {
        --left;
        strides[left] = saturated(row_stride * used);
        used *= shape[left];
      }
      if (used != row) return false;
      row = used = 1;
    }
    if (end) break;
    if (row == 1) row_stride = view.strides[old];
    row *= view.shape[old];
    next = Wide{view.strides[old]} * view.shape[old];
  }
  return true;
}

}  // namespace

InfiniStatus view_as(Strided& view, std::span<const std::int64_t> shape) noexcept {
  if (shape.size() > infini_max_rank) return bad_param;
  std::int64_t count = 0, wanted = 0;
  if (count_elements(view.extents(), count) != Status::ok || count_elements(shape, wanted) != Status::ok ||
      count != wanted)
    return InfiniStatus::bad_tensor_shape;
  std::array<std::int64_t, infini_max_rank> strides;
  std::size_t left = shape.size();
  if (count == 0) {
    write_compact_strides(shape, strides.data());
  } else {
    while (left > 0 && shape[left - 1] == 1) strides[--left] = 1;
    if (!distribute(view, shape, left, strides.data())) return InfiniStatus::bad_tensor_strides;
  }
  assign(view, shape);
  std::copy_n(strides.begin(), shape.size(), view.strides.begin());
  return ok;
}

}  // namespace dlspec::optimized
