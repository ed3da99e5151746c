// A tensor's geometry with explicit strides, and the descriptors of InfiniOP. No allocation; nothing
// here follows a pointer but the arrays that it is given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::optimized {

// What view operations work on. Only the first `rank` numbers of the arrays mean anything.
struct Strided {
  std::size_t rank = 0;
  std::int64_t origin = 0;  // elements from the original's element (0, ..., 0) to this one's
  std::array<std::int64_t, infini_highest_rank> shape;
  std::array<std::int64_t, infini_highest_rank> strides;  // elements

  [[nodiscard]] std::span<const std::int64_t> extents() const { return {shape.data(), rank}; }
  [[nodiscard]] std::span<const std::int64_t> steps() const { return {strides.data(), rank}; }
};

// Is this a tensor that memory could hold? One stride for each of at most 64 extents.
//   bad_tensor_shape    a negative extent; more than 2^63-1 bytes of elements
//   bad_tensor_strides  the elements reach over more than 2^63-1 bytes, or one lies more than 2^63-1
//                       elements from the origin
// Without elements strides are of no account, and neither is the stride of an axis with one extent.
[[nodiscard]] InfiniStatus judge(std::span<const std::int64_t> shape, const std::int64_t* strides,
                                 std::uint32_t bytes_per_element = 1, std::int64_t origin = 0) noexcept;
[[nodiscard]] inline InfiniStatus judge(const Strided& view, std::uint32_t bytes_per_element = 1) noexcept {
  return judge(view.extents(), view.strides.data(), bytes_per_element, view.origin);
}

// The arguments of infiniopCreateTensorDescriptor: `strides` may be NULL, which means compact and
// row-major, `shape` for rank 0. The first of these that holds is the answer:
//   null_pointer      shape is NULL although there are axes
//   bad_tensor_dtype  no dtype has this number
//   bad_param         more than infini_highest_rank axes
//   bad_tensor_shape, bad_tensor_strides: see judge(); also an extent above 2^63-1
[[nodiscard]] InfiniStatus judge_arguments(std::size_t ndim, const std::size_t* shape, const std::ptrdiff_t* strides,
                                           int dtype) noexcept;

// Row-major strides without gaps. An extent 0 counts as 1, and without elements a stride that 63
// bits do not hold becomes 2^63-1. Room for one stride per extent.
void write_compact_strides(std::span<const std::int64_t> shape, std::int64_t* strides) noexcept;

// Elements from element (0, ..., 0) to the one with this index. bad_param: not one index per axis, or
// one that is not below its extent.
[[nodiscard]] InfiniStatus offset_of(const View& view, std::span<const std::int64_t> index,
                                     std::int64_t& offset) noexcept;

}  // namespace dlspec::optimized
