#include <dlspec/reference/descriptor/strided.h>

#include <limits>

namespace dlspec::reference {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

bool reach_fits(const Strided& strided, std::uint32_t bytes_per_element) {
  const Reach range = *reach(strided.axes(), 8);
  const Wide span = range.high - range.low + 1;
  return span * bytes_per_element <= largest && (strided.origin + range.low).to_int64() &&
         (strided.origin + range.high).to_int64();
}

}  // namespace

InfiniStatus judge(const Strided& strided, std::uint32_t bytes_per_element) {
  if (strided.rank() > infini_max_rank || strided.strides.size() != strided.rank()) return InfiniStatus::bad_param;
  if (!extents_valid(strided.shape)) return InfiniStatus::bad_tensor_shape;
  if (element_count(strided.shape) * bytes_per_element > largest) return InfiniStatus::bad_tensor_shape;
  if (is_empty(strided.shape) || reach_fits(strided, bytes_per_element)) return InfiniStatus::success;
  return InfiniStatus::bad_tensor_strides;
}

std::int64_t saturated(const Wide& number) { return number.to_int64().value_or(largest); }

std::vector<std::int64_t> compact_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    strides.push_back(saturated(stride_of({shape, nullptr}, axis)));
  return strides;
}

std::variant<InfiniTensor, InfiniStatus> make_tensor(std::size_t ndim, const std::size_t* shape,
                                                     const std::ptrdiff_t* strides, int dtype) {
  if (ndim != 0 && shape == nullptr) return InfiniStatus::null_pointer;
  const InfiniDtypeRow* row = find_infini_dtype(dtype);
  if (row == nullptr) return InfiniStatus::bad_tensor_dtype;
  if (ndim > infini_max_rank) return InfiniStatus::bad_param;
  Strided layout;
  for (std::size_t axis = 0; axis < ndim; ++axis) {
    if (shape[axis] > static_cast<std::size_t>(largest)) return InfiniStatus::bad_tensor_shape;
    layout.shape.push_back(static_cast<std::int64_t>(shape[axis]));
  }
  if (strides == nullptr || ndim == 0) {
    layout.strides = compact_strides(layout.shape);
  } else {
    layout.strides.assign(strides, strides + ndim);
  }
  if (const InfiniStatus status = judge(layout, row->bytes); status != InfiniStatus::success) return status;
  return InfiniTensor{static_cast<InfiniDtype>(dtype), std::move(layout)};
}

std::variant<std::int64_t, InfiniStatus> offset_of(const Strided& strided, std::span<const std::int64_t> index) {
  if (index.size() != strided.rank()) return InfiniStatus::bad_param;
  Wide offset;
  for (std::size_t axis = 0; axis < strided.rank(); ++axis) {
    if (index[axis] < 0 || index[axis] >= strided.shape[axis]) return InfiniStatus::bad_param;
    offset += Wide(index[axis]) * strided.strides[axis];
  }
  const auto fitting = offset.to_int64();
  if (!fitting) return InfiniStatus::bad_tensor_strides;
  return *fitting;
}

}  // namespace dlspec::reference
