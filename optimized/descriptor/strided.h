// A tensor's geometry with explicit strides, and the arguments of InfiniOP descriptors. Nothing allocates; only the
// given shape and stride arrays are read. Any thread. Source: InfiniCore's documentation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::optimized {

// The operand of view operations. Only the first `rank` entries of the arrays are valid.
struct Strided {
  std::size_t rank = 0;
  std::int64_t origin = 0;  // of this view's element (0, ..., 0), in elements from the original's
  std::array<std::int64_t, infini_max_rank> shape;
  std::array<std::int64_t, infini_max_rank> strides;  // in elements

  [[nodiscard]] std::span<const std::int64_t> extents() const { return {shape.data(), rank}; }
  [[nodiscard]] std::span<const std::int64_t> steps() const { return {strides.data(), rank}; }
};

// Could memory hold this tensor? Takes one stride, in elements, for each of at most 64 extents.
//   bad_tensor_shape    a negative extent; elements of more than 2^63-1 bytes
//   bad_tensor_strides  a span of more than 2^63-1 bytes, or an element more than 2^63-1 elements from the origin
// Strides are ignored if there are no elements, and for axes of extent 1.
[[nodiscard]] InfiniStatus judge(std::span<const std::int64_t> shape, const std::int64_t* strides,
                                 std::uint32_t bytes_per_element = 1, std::int64_t origin = 0) noexcept;
[[nodiscard]] inline InfiniStatus judge(const Strided& view, std::uint32_t bytes_per_element = 1) noexcept {
  return judge(view.extents(), view.strides.data(), bytes_per_element, view.origin);
}

// Checks the arguments of infiniopCreateTensorDescriptor: NULL `strides` mean compact and row-major; `shape` may be
// NULL for rank 0. Returns the first status that applies:
//   null_pointer      shape is NULL although there are axes
//   bad_tensor_dtype  no dtype has this number
//   bad_param         more than infini_max_rank axes
//   bad_tensor_shape, bad_tensor_strides: see judge(); also an extent above 2^63-1
[[nodiscard]] InfiniStatus judge_arguments(std::size_t ndim, const std::size_t* shape, const std::ptrdiff_t* strides,
                                           int dtype) noexcept;

// Writes compact row-major strides, in elements. An extent of 0 counts as 1; without elements a stride that overflows
// int64 saturates at 2^63-1. `strides` has room for one entry per extent.
void write_compact_strides(std::span<const std::int64_t> shape, std::int64_t* strides) noexcept;

// Elements from element (0, ..., 0) to the one at `index`; the view has at most 2^63-1 elements. bad_param: not one
// index per axis, or one outside its extent.
[[nodiscard]] InfiniStatus offset_of(const View& view, std::span<const std::int64_t> index,
                                     std::int64_t& offset) noexcept;

}  // namespace dlspec::optimized
