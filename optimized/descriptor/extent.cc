#include <dlspec/optimized/descriptor/extent.h>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {

Status count_elements(std::span<const std::int64_t> shape, std::int64_t& count) noexcept {
  std::int64_t product = 1;
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return Status::bad_extent;
    if (extent == 0) empty = true;
    overflow |= __builtin_mul_overflow(product, extent, &product);
  }
  if (empty) {
    count = 0;
    return Status::ok;
  }
  if (overflow) return Status::size_overflow;
  count = product;
  return Status::ok;
}

Reach reach_of(std::span<const std::int64_t> shape, const std::int64_t* strides, std::int64_t count) noexcept {
  if (strides == nullptr) return {0, count - 1};
  Reach reach;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Wide last = Wide{shape[axis] - 1} * strides[axis];
    (last < 0 ? reach.low : reach.high) += last;
  }
  return reach;
}

bool byte_range_in_int64(const View& view, std::int64_t count, std::int64_t element_size, ByteRange& range) noexcept {
  std::int64_t low = 0, high = count - 1;
  bool overflow = false;
  if (view.strides != nullptr) {
    high = 0;
    for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
      std::int64_t last = 0;
      overflow |= __builtin_mul_overflow(view.shape[axis] - 1, view.strides[axis], &last);
      overflow |= __builtin_add_overflow(low, last < 0 ? last : 0, &low);
      overflow |= __builtin_add_overflow(high, last < 0 ? 0 : last, &high);
    }
  }
  std::int64_t size = 0;
  overflow |= __builtin_mul_overflow(low, element_size, &range.begin);
  overflow |= __builtin_add_overflow(high, 1, &high) || __builtin_mul_overflow(high, element_size, &range.end);
  return !(overflow || __builtin_sub_overflow(range.end, range.begin, &size));
}

Status byte_range(const View& view, ByteRange& range) noexcept {
  const std::uint32_t bits = element_bits(view.dtype);
  if (bits == 0) return Status::bad_dtype;
  std::int64_t count = 0;
  if (const Status status = count_elements(view.shape, count); status != Status::ok) return status;
  if (count == 0) {
    range = {};
    return Status::ok;
  }
  std::int64_t bytes = 0;
  ByteRange fast{};
  if (bits % 8 == 0 && !__builtin_mul_overflow(count, bits / 8, &bytes) &&
      byte_range_in_int64(view, count, bits / 8, fast)) {
    range = fast;
    return Status::ok;
  }
  const Reach reach = reach_of(view.shape, view.strides, count);
  if (!fits_in_bytes(count, bits) || !fits_in_bytes(reach.span(), bits)) return Status::size_overflow;
  range = {static_cast<std::int64_t>(floor_bytes(reach.low * bits)),
           static_cast<std::int64_t>(ceil_bytes((reach.high + 1) * bits))};
  return Status::ok;
}

}  // namespace dlspec::optimized
