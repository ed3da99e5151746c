// The reach, the element count and the size of a layout, in arithmetic that cannot wrap.
//
// The functions take the parts of a layout, so that they work for a Layout, for a struct that validation has found
// readable, and for any array of numbers. Every result is a Wide: exact, or marked as an overflow. No function throws,
// except std::bad_alloc.
//
// Source: dlpack.h, DLTensor.shape, DLTensor.strides and DLTensor.byte_offset; finding.def, `reach`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/reference/descriptor/wide.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::reference {

// Extents and strides, not owned. Strides count elements, one per extent; NULL means row-major and
// compact. Rank 0 has neither.
struct Axes {
  std::span<const std::int64_t> shape;
  const std::int64_t* strides = nullptr;

  Axes(std::span<const std::int64_t> extents, const std::int64_t* element_strides)
      : shape(extents), strides(element_strides) {}
  // Refers to the layout's own numbers.
  Axes(const Layout& layout) : Axes(layout.shape, layout.strides ? layout.strides->data() : nullptr) {}  // NOLINT
  // Refers to the arrays that the struct points to. 0 <= ndim, and shape is readable unless ndim is 0.
  explicit Axes(const abi::Tensor& tensor)
      : Axes(tensor.ndim > 0 ? std::span<const std::int64_t>(tensor.shape, static_cast<std::size_t>(tensor.ndim))
                             : std::span<const std::int64_t>(),
             tensor.strides) {}

  [[nodiscard]] std::size_t rank() const { return shape.size(); }
};

// Every extent is at least 0: the precondition of all other functions.
[[nodiscard]] bool extents_valid(std::span<const std::int64_t> shape);

// An extent is 0. Rank 0 is one element, never empty.
[[nodiscard]] bool is_empty(std::span<const std::int64_t> shape);

// The product of the extents: 1 for rank 0, 0 when empty, possibly an overflow otherwise.
[[nodiscard]] Wide element_count(std::span<const std::int64_t> shape);

// Bits from one element to the next. Lanes narrower than a byte are packed without gaps, or have a byte each when the
// tensor is padded (DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED).
[[nodiscard]] std::uint32_t storage_bits(abi::DataType dtype, bool padded);

// The size in bytes of `count` elements of this number of bits, rounded up to whole bytes.
[[nodiscard]] Wide byte_size(const Wide& count, std::uint32_t bits_per_element);

// The lowest and the highest element that any index reaches, counted in elements from element (0, ..., 0), both
// included; and the first byte of any element (included) and the end of the last (excluded), in bytes from it.
struct Reach {
  Wide low;
  Wide high;
  Wide low_bytes;
  Wide high_bytes;

  friend bool operator==(const Reach&, const Reach&) = default;
};

// In closed form. No value for a layout without elements.
[[nodiscard]] std::optional<Reach> reach(const Axes& axes, std::uint32_t bits_per_element);

// The same by visiting every index: for small tensors only.
[[nodiscard]] std::optional<Reach> reach_by_enumeration(const Axes& axes, std::uint32_t bits_per_element);

// What the elements span, in bytes from `data` on: byte_offset is added, and reversed axes may begin before `data`.
struct ByteSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }

  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};
// The bytes of elements that are not padded. Empty without elements; no value where a number does not fit.
[[nodiscard]] std::optional<ByteSpan> byte_span(const Axes& axes, std::uint64_t byte_offset, abi::DataType dtype);

// The stride of axis `axis`: the given one, or the row-major one (the product of the extents after it, where an extent
// of 0 counts as 1).
[[nodiscard]] Wide stride_of(const Axes& axes, std::size_t axis);

// Row-major, compact strides; no value when one overflows int64.
[[nodiscard]] std::optional<std::vector<std::int64_t>> row_major_strides(std::span<const std::int64_t> shape);
// The same with the first axis varying fastest.
[[nodiscard]] std::optional<std::vector<std::int64_t>> column_major_strides(std::span<const std::int64_t> shape);

}  // namespace dlspec::reference
