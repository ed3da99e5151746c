// Any bytes as a layout. Every input means something, and extremes are one byte away from small numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

// One byte each: rank and presence of strides, code, bits, lanes; then extent and stride of each axis, and the shift.
// Bytes that are missing count as 0. Of a byte for a number the values below 128 are themselves (strides -32 to 95),
// the others choose from a table of extremes. The numbers lie in memory of their own, of which no byte more exists.
[[nodiscard]] DecodedLayout decode_layout(std::span<const std::uint8_t> bytes);

// Into a layout whose memory is used again: for mutators, which want the fields alone.
void decode_layout(std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener* listener,
                   DecodedLayout& layout);

}  // namespace dlspec::optimized::testing
