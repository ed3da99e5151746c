// Any bytes as a layout. Every input means something, and extremes are one byte away from small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/reference/testing/field_reader.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::optimized::testing {

struct DecodedLayout {
  abi::DataType dtype{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // elements, one per axis
  bool has_strides = true;
  std::int64_t shift = 0;  // bytes from the layout to itself at another address
};

enum class LayoutField : std::uint8_t { head, code, bits, lanes, extent, stride, shift };

// One byte each: rank and presence of strides, code, bits, lanes; then extent and stride of each axis, and the
// shift. Bytes that are missing count as 0. Of a byte for a number the values below 128 are themselves (strides -32 to
// 95), the others choose from a table of extremes.
[[nodiscard]] inline DecodedLayout decode_layout(std::span<const std::uint8_t> bytes,
                                                 dlspec::testing::FieldListener* listener = nullptr) {
  dlspec::testing::FieldReader reader(bytes, listener);
  const auto next = [&](LayoutField field) {
    reader.field(field);
    return reader.byte();
  };
  const auto extreme = [](const auto& table, std::uint8_t byte) { return table[byte % std::size(table)]; };
  DecodedLayout layout;
  const std::uint8_t head = next(LayoutField::head);
  const std::size_t rank = (head & 0x70) == 0x70 ? head % 65U : head % 9U;  // mostly small
  layout.has_strides = head < 224;
  layout.dtype.code = next(LayoutField::code);
  layout.dtype.bits = next(LayoutField::bits);
  const std::uint8_t lanes = next(LayoutField::lanes);
  layout.dtype.lanes = lanes < 128 ? lanes : extreme(extreme_lanes, lanes);
  layout.shape.reserve(rank);
  layout.strides.reserve(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::uint8_t extent = next(LayoutField::extent), stride = next(LayoutField::stride);
    layout.shape.push_back(extent < 128 ? extent % 17 : extreme(extreme_extents, extent));
    layout.strides.push_back(stride < 128 ? stride - 32 : extreme(extreme_strides, stride));
  }
  layout.shift = next(LayoutField::shift) - 128;
  return layout;
}

}  // namespace dlspec::optimized::testing
