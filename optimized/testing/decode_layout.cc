#include <dlspec/optimized/testing/decode_layout.h>

#include <cstddef>

#include <dlspec/optimized/testing/extremes.h>

namespace dlspec::optimized::testing {
namespace {

enum class LayoutField : std::uint8_t { head, code, bits, lanes, extent, stride, shift };

}  // namespace

void decode_layout(std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener* listener,
                   DecodedLayout& layout) {
  dlspec::testing::FieldReader reader(bytes, listener);
  const auto next = [&](LayoutField field) {
    reader.field(field);
    return reader.byte();
  };
  const auto extreme = [](const auto& table, std::uint8_t byte) { return table[byte % std::size(table)]; };
  const std::uint8_t head = next(LayoutField::head);
  const std::size_t rank = (head & 0x70) == 0x70 ? head % 65U : head % 9U;  // mostly small
  layout.has_strides = head < 224;
  layout.dtype.code = next(LayoutField::code);
  layout.dtype.bits = next(LayoutField::bits);
  const std::uint8_t lanes = next(LayoutField::lanes);
  layout.dtype.lanes = lanes < 128 ? lanes : extreme(extreme_lanes, lanes);
  layout.shape.clear();
  layout.strides.clear();
  layout.shape.reserve(rank);
  layout.strides.reserve(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::uint8_t extent = next(LayoutField::extent), stride = next(LayoutField::stride);
    layout.shape.push_back(extent < 128 ? extent % 17 : extreme(extreme_extents, extent));
    layout.strides.push_back(stride < 128 ? stride - 32 : extreme(extreme_strides, stride));
  }
  layout.shift = next(LayoutField::shift) - 128;
}

DecodedLayout decode_layout(std::span<const std::uint8_t> bytes) {
  DecodedLayout layout;
  decode_layout(bytes, nullptr, layout);
  return layout;
}

}  // namespace dlspec::optimized::testing
