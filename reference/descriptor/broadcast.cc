#include <dlspec/reference/descriptor/broadcast.h>

namespace dlspec::reference {

std::vector<bool> repeated_axes(const Axes& axes) {
  const bool empty = is_empty(axes.shape);
  std::vector<bool> repeated;
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    repeated.push_back(!empty && axes.shape[axis] > 1 && stride_of(axes, axis) == 0);
  }
  return repeated;
}

bool broadcastable(std::span<const std::int64_t> shape, std::span<const std::int64_t> target) {
  if (shape.size() > target.size()) return false;
  const auto aligned = target.subspan(target.size() - shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && shape[axis] != aligned[axis]) return false;
  }
  return true;
}

std::optional<std::vector<std::int64_t>> broadcast_strides(const Axes& axes, std::span<const std::int64_t> target) {
  if (!broadcastable(axes.shape, target)) return std::nullopt;
  const std::size_t missing = target.size() - axes.rank();
  std::vector<std::int64_t> strides(target.size(), 0);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    if (axes.shape[axis] != target[missing + axis]) continue;
    const auto stride = stride_of(axes, axis).to_int64();
    if (!stride) return std::nullopt;
    strides[missing + axis] = *stride;
  }
  return strides;
}

}  // namespace dlspec::reference
