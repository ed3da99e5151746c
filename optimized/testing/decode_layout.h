// Any bytes as a layout. Every input means something, and extremes are one byte away from small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::optimized::testing {

struct DecodedLayout {
  abi::DataType dtype{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // elements, one per axis
  bool has_strides = true;
};

// One byte each: rank and presence of strides, code, bits, lanes; then extent and stride of each axis. Bytes that are
// missing count as 0. Of a byte for a number the values below 128 are themselves (strides -32 to 95), the others choose
// from a table of extremes.
[[nodiscard]] inline DecodedLayout decode_layout(std::span<const std::uint8_t> bytes) {
  std::size_t at = 0;
  const auto next = [&]() -> std::uint8_t { return at < bytes.size() ? bytes[at++] : 0; };
  const auto extreme = [](const auto& table, std::uint8_t byte) { return table[byte % std::size(table)]; };
  DecodedLayout layout;
  const std::uint8_t head = next();
  const std::size_t rank = (head & 0x70) == 0x70 ? head % 65U : head % 9U;  // mostly small
  layout.has_strides = head < 224;
  layout.dtype.code = next();
  layout.dtype.bits = next();
  const std::uint8_t lanes = next();
  layout.dtype.lanes = lanes < 128 ? lanes : extreme(extreme_lanes, lanes);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::uint8_t extent = next(), stride = next();
    layout.shape.push_back(extent < 128 ? extent % 17 : extreme(extreme_extents, extent));
    layout.strides.push_back(stride < 128 ? stride - 32 : extreme(extreme_strides, stride));
  }
  return layout;
}

}  // namespace dlspec::optimized::testing
