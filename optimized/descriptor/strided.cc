#include <dlspec/optimized/descriptor/strided.h>

#include <algorithm>

#include <dlspec/optimized/descriptor/extent.h>

namespace dlspec::optimized {

static_assert(sizeof(std::size_t) == sizeof(std::int64_t) && sizeof(std::ptrdiff_t) == sizeof(std::int64_t),
              "sizes of 32 bits would need to be copied");

InfiniStatus judge(std::span<const std::int64_t> shape, const std::int64_t* strides, std::uint32_t bytes_per_element,
                   std::int64_t origin) noexcept {
  std::int64_t count = 0;
  if (count_elements(shape, count) != Status::ok) return InfiniStatus::bad_tensor_shape;
  if (count == 0) return InfiniStatus::success;
  if (!fits_in_bytes(count, 8 * bytes_per_element)) return InfiniStatus::bad_tensor_shape;
  const Reach reach = reach_of(shape, strides, count);
  constexpr Wide least = -largest_int64 - 1;
  const bool fits = fits_in_bytes(reach.span(), 8 * bytes_per_element) && origin + reach.low >= least &&
                    origin + reach.high <= largest_int64;
  return fits ? InfiniStatus::success : InfiniStatus::bad_tensor_strides;
}

InfiniStatus judge_arguments(std::size_t ndim, const std::size_t* shape, const std::ptrdiff_t* strides,
                             int dtype) noexcept {
  if (ndim != 0 && shape == nullptr) return InfiniStatus::null_pointer;
  const InfiniDtypeRow* row = find_infini_dtype(dtype);
  if (row == nullptr) return InfiniStatus::bad_tensor_dtype;
  if (ndim > infini_max_rank) return InfiniStatus::bad_param;
  // An extent above 2^63-1 shows as a negative one.
  return judge({reinterpret_cast<const std::int64_t*>(shape), ndim}, reinterpret_cast<const std::int64_t*>(strides),
               row->bytes);
}

void write_compact_strides(std::span<const std::int64_t> shape, std::int64_t* strides) noexcept {
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[axis], 1), &stride)) {
      stride = std::numeric_limits<std::int64_t>::max();
    }
  }
}

InfiniStatus offset_of(const View& view, std::span<const std::int64_t> index, std::int64_t& offset) noexcept {
  if (index.size() != view.shape.size()) return InfiniStatus::bad_param;
  // First, since sums and products may overflow in layouts without elements.
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= view.shape[axis]) return InfiniStatus::bad_param;
  }
  Wide sum = 0;
  std::int64_t compact = 1;
  for (std::size_t axis = index.size(); axis-- > 0;) {
    sum += Wide{index[axis]} * (view.strides != nullptr ? view.strides[axis] : compact);
    compact *= view.shape[axis];
  }
  if (sum > largest_int64 || sum < -largest_int64 - 1) return InfiniStatus::bad_tensor_strides;
  offset = static_cast<std::int64_t>(sum);
  return InfiniStatus::success;
}

}  // namespace dlspec::optimized
