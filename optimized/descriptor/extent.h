// The memory that a layout covers: number of elements, reach in elements, byte range. Exact for every input, in a
// handful of instructions per axis, without allocation; pure functions, safe on any thread. Layout rules: DLTensor in
// dlpack.h.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

// The product of the extents: 1 for rank 0, 0 if any extent is 0, whatever the others are. Status::bad_extent if one is
// negative, Status::size_overflow if the product exceeds 2^63-1; `count` is then unchanged.
[[nodiscard]] Status count_elements(std::span<const std::int64_t> shape, std::int64_t& count) noexcept;

// Offsets of the lowest and the highest element from element (0, ..., 0), in elements; low <= 0 <= high.
struct Reach {
  Wide low = 0;
  Wide high = 0;

  // Elements from the lowest to the highest, both included.
  [[nodiscard]] constexpr Wide span() const { return high - low + 1; }
};

// The reach of a layout of `count` elements, as count_elements() returned it: every extent is at least 1 and `count` is
// at most 2^63-1. `strides` counts elements and may be NULL.
[[nodiscard]] Reach reach_of(std::span<const std::int64_t> shape, const std::int64_t* strides,
                             std::int64_t count) noexcept;

// True if `elements` elements (at least 0) of `element_bits` bits (at least 1) take at most 2^63-1 bytes.
[[nodiscard]] constexpr bool fits_in_bytes(Wide elements, std::uint32_t element_bits) {
  // The first comparison keeps the product within 128 bits, without a slow 128-bit division.
  return elements <= 8 * largest_int64 && elements * element_bits <= 8 * largest_int64;
}

// The bytes that a layout can touch, relative to element (0, ..., 0): the first, and one past the last. Both 0 for a
// layout without elements.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t length() const { return end - begin; }
};

// The byte range of a layout of `count` >= 1 elements of `element_size` bytes, in 64-bit arithmetic. False, and `range`
// is invalid, if an intermediate result overflows int64: the range itself may still fit.
[[nodiscard]] bool byte_range_in_int64(const View& view, std::int64_t count, std::int64_t element_size,
                                       ByteRange& range) noexcept;

// The byte range of any layout. Status::bad_dtype for elements without bits or lanes, Status::bad_extent for a negative
// extent, Status::size_overflow if the elements, or the span from the lowest to the highest, exceed 2^63-1 bytes;
// `range` is then unchanged.
[[nodiscard]] Status byte_range(const View& view, ByteRange& range) noexcept;

}  // namespace dlspec::optimized
