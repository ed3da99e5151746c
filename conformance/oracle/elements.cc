#include <dlspec/conformance/oracle/elements.h>

#include <algorithm>

#include <dlspec/reference/descriptor/enumerate.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

bool bit(const std::uint8_t* bytes, std::int64_t position) { return (bytes[position >> 3] >> (position & 7) & 1) != 0; }

void set_bit(std::uint8_t* bytes, std::int64_t position, bool value) {
  const auto mask = static_cast<std::uint8_t>(1U << (position & 7));
  std::uint8_t& byte = bytes[position >> 3];
  byte = static_cast<std::uint8_t>(value ? byte | mask : byte & ~mask);
}

// Elements of whole bytes, without a walk over their bits.
void put_bytes(const Layout& layout, std::int64_t element, std::uint8_t* first,
               std::span<const std::uint8_t> contents) {
  const std::uint8_t* next = contents.data();
  for (reference::Cursor<std::int64_t> cursor(layout); !cursor.done(); cursor.advance()) {
    std::copy_n(next, element, first + cursor.offset() * element);
    next += element;
  }
}

}  // namespace

// A struct's numbers are not const; gather only reads them.
Status get_elements(const Layout& layout, bool padded, const void* data, std::vector<std::uint8_t>& contents) {
  abi::Tensor tensor{};
  tensor.data = const_cast<void*>(data);
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<std::int32_t>(layout.shape.size());
  tensor.dtype = layout.dtype;
  tensor.shape = const_cast<std::int64_t*>(layout.shape.data());
  tensor.strides = layout.strides ? const_cast<std::int64_t*>(layout.strides->data()) : nullptr;
  tensor.byte_offset = layout.byte_offset;
  return reference::gather(tensor, padded, contents);
}

void put_elements(const Layout& layout, bool padded, void* data, std::span<const std::uint8_t> contents) {
  std::uint8_t* const first = static_cast<std::uint8_t*>(data) + layout.byte_offset;
  const std::int64_t element = reference::storage_bits(layout.dtype, padded);
  const std::int64_t lane = element / layout.dtype.lanes;
  if (lane == layout.dtype.bits && lane % 8 == 0) {
    put_bytes(layout, element / 8, first, contents);
    return;
  }
  std::int64_t packed = 0;
  for (reference::Cursor<std::int64_t> cursor(layout); !cursor.done(); cursor.advance()) {
    for (std::int64_t component = 0; component < layout.dtype.lanes; ++component) {
      const std::int64_t start = cursor.offset() * element + component * lane;
      for (std::int64_t i = 0; i < layout.dtype.bits; ++i) set_bit(first, start + i, bit(contents.data(), packed++));
      for (std::int64_t i = layout.dtype.bits; i < lane; ++i) set_bit(first, start + i, false);  // padding
    }
  }
}

}  // namespace dlspec::conformance
