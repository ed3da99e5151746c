#include <dlspec/reference/descriptor/extent.h>

#include <algorithm>

#include <dlspec/reference/descriptor/enumerate.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

Reach in_bytes(const Wide& low, const Wide& high, std::uint32_t bits_per_element) {
  return {low, high, floor_divide(low * bits_per_element, 8), ceil_divide((high + 1) * bits_per_element, 8)};
}

std::optional<std::vector<std::int64_t>> all_strides(const std::vector<Wide>& wide) {
  std::vector<std::int64_t> strides;
  for (const Wide& stride : wide) {
    const auto fitting = stride.to_int64();
    if (!fitting) return std::nullopt;
    strides.push_back(*fitting);
  }
  return strides;
}

}  // namespace

bool extents_valid(std::span<const std::int64_t> shape) {
  return std::all_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent >= 0; });
}

bool is_empty(std::span<const std::int64_t> shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

Wide element_count(std::span<const std::int64_t> shape) {
  if (is_empty(shape)) return 0;  // also where the other extents alone overflow
  Wide count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::uint32_t storage_bits(abi::DataType dtype, bool padded) {
  return padded && is_subbyte(dtype) ? 8 * std::uint32_t{dtype.lanes} : element_bits(dtype);
}

std::optional<ByteSpan> byte_span(const Axes& axes, std::uint64_t byte_offset, abi::DataType dtype) {
  const std::optional<Reach> elements = reach(axes, storage_bits(dtype, false));
  if (!elements) return ByteSpan{};
  const auto begin = (elements->low_bytes + byte_offset).to_int64(),
             end = (elements->high_bytes + byte_offset).to_int64();
  if (!begin || !end || !(Wide(*end) - *begin).to_int64()) return std::nullopt;
  return ByteSpan{*begin, *end};
}

Wide byte_size(const Wide& count, std::uint32_t bits_per_element) { return ceil_divide(count * bits_per_element, 8); }

std::optional<Reach> reach(const Axes& axes, std::uint32_t bits_per_element) {
  if (is_empty(axes.shape)) return std::nullopt;
  if (axes.strides == nullptr) return in_bytes(0, element_count(axes.shape) - 1, bits_per_element);
  Wide low, high;
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    const Wide farthest = (Wide(axes.shape[axis]) - 1) * axes.strides[axis];
    (farthest.negative() ? low : high) += farthest;
  }
  return in_bytes(low, high, bits_per_element);
}

std::optional<Reach> reach_by_enumeration(const Axes& axes, std::uint32_t bits_per_element) {
  Cursor<Wide> cursor(axes);
  if (cursor.done()) return std::nullopt;
  Wide low, high;
  for (; !cursor.done(); cursor.advance()) {
    low = std::min(low, cursor.offset());
    high = std::max(high, cursor.offset());
  }
  return in_bytes(low, high, bits_per_element);
}

Wide stride_of(const Axes& axes, std::size_t axis) {
  if (axes.strides != nullptr) return axes.strides[axis];
  Wide stride = 1;
  for (const std::int64_t extent : axes.shape.subspan(axis + 1)) stride *= std::max<std::int64_t>(extent, 1);
  return stride;
}

std::optional<std::vector<std::int64_t>> row_major_strides(std::span<const std::int64_t> shape) {
  std::vector<Wide> strides;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) strides.push_back(stride_of({shape, nullptr}, axis));
  return all_strides(strides);
}

std::optional<std::vector<std::int64_t>> column_major_strides(std::span<const std::int64_t> shape) {
  std::vector<Wide> strides;
  Wide stride = 1;
  for (const std::int64_t extent : shape) {
    strides.push_back(stride);
    stride *= std::max<std::int64_t>(extent, 1);
  }
  return all_strides(strides);
}

}  // namespace dlspec::reference
