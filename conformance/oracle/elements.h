// Logical contents in and out of memory that a layout describes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {

// `data` is what DLTensor.data says; the layout's byte_offset is added to it. With `padded`, each
// sub-byte lane takes a byte of the memory. `contents` are the elements in C order, sub-byte ones
// packed.

// reference::gather of a layout.
[[nodiscard]] Status get_elements(const Layout& layout, bool padded, const void* data,
                                  std::vector<std::uint8_t>& contents);

// Writes the contents in C order also where elements share bytes, as no copying operation may: this
// is how broadcast and overlapping tensors come to be. The layout has a dtype with bits, valid
// extents, one stride per extent, and reaches writable memory only; the contents have their length.
void put_elements(const Layout& layout, bool padded, void* data, std::span<const std::uint8_t> contents);

}  // namespace dlspec::conformance
