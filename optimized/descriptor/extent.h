// How much memory a layout covers: number of elements, reach in elements, range in bytes. Exact for
// every input, in a handful of instructions per axis, without allocation.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::optimized {

// The product of the extents, 1 for rank 0, 0 when any extent is 0 (whatever the others are).
// Status::bad_extent when one is negative, Status::size_overflow when the product exceeds 2^63-1;
// `count` is then untouched.
[[nodiscard]] Status count_elements(std::span<const std::int64_t> shape, std::int64_t& count) noexcept;

// Offsets of the lowest and the highest element from element (0, ..., 0), in elements; low <= 0 <= high.
struct Reach {
  Wide low = 0;
  Wide high = 0;

  // Elements from the lowest to the highest, both included.
  [[nodiscard]] constexpr Wide span() const { return high - low + 1; }
};

// The reach of a layout of `count` elements. Every extent is at least 1 and their product, which is
// `count`, at most 2^63-1: count_elements says so. `strides` may be NULL.
[[nodiscard]] Reach reach_of(std::span<const std::int64_t> shape, const std::int64_t* strides,
                             std::int64_t count) noexcept;

// True when `elements` elements (at least 0) of `element_bits` bits (at least 1) take at most 2^63-1 bytes.
[[nodiscard]] constexpr bool fits_in_bytes(Wide elements, std::uint32_t element_bits) {
  // The first comparison keeps the product of the second within 128 bits, which a division would take much longer for.
  return elements <= 8 * largest_int64 && elements * element_bits <= 8 * largest_int64;
}

// Bytes that a layout can touch, counted from element (0, ..., 0): first, and one past the last.
// Both 0 for a layout without elements.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// The range of a layout of `count` elements, as above, of `item` whole bytes each, in 64 bits. False, and `range` means
// nothing, when something on the way there exceeds them: then it may still fit.
[[nodiscard]] bool near_range(const View& view, std::int64_t count, std::int64_t item, ByteRange& range) noexcept;

// Status::bad_dtype for elements without bits or lanes, Status::bad_extent for a negative extent,
// Status::size_overflow when the elements, counted or from the lowest to the highest, take more than
// 2^63-1 bytes; `range` is then untouched.
[[nodiscard]] Status byte_range(const View& view, ByteRange& range) noexcept;

}  // namespace dlspec::optimized
