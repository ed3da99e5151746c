// A tensor's geometry with explicit strides: the operand of InfiniOP's descriptors and of view operations. Plain data,
// no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::reference {

struct Strided {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // elements, one per axis
  std::int64_t origin = 0;            // elements from the original's element (0, ..., 0) to this one's

  [[nodiscard]] Axes axes() const { return {shape, strides.data()}; }
  [[nodiscard]] std::size_t rank() const { return shape.size(); }
  friend bool operator==(const Strided&, const Strided&) = default;
};

// Whether a descriptor may have this geometry. The first that holds is returned, else success:
//   bad_param           more than infini_max_rank axes, or not one stride per axis
//   bad_tensor_shape    a negative extent; more than 2^63-1 bytes of elements
//   bad_tensor_strides  the elements span more than 2^63-1 bytes, or one is more than 2^63-1 elements from the origin
// The strides of a layout without elements are ignored, and so is the stride of an axis of extent 1.
[[nodiscard]] InfiniStatus judge(const Strided& strided, std::uint32_t bytes_per_element = 1);

// The number, or 2^63-1 where it overflows int64: for strides that no element is reached with.
[[nodiscard]] std::int64_t saturated(const Wide& number);

// Row-major, compact strides, saturated where there are no elements.
[[nodiscard]] std::vector<std::int64_t> compact_strides(std::span<const std::int64_t> shape);

// A descriptor of InfiniOP.
struct InfiniTensor {
  InfiniDtype dtype;
  Strided layout;

  friend bool operator==(const InfiniTensor&, const InfiniTensor&) = default;
};

// From the arguments of infiniopCreateTensorDescriptor: `strides` may be NULL, which means compact and row-major,
// `shape` for rank 0. The first of these that holds is returned:
//   null_pointer      shape is NULL although there are axes
//   bad_tensor_dtype  no dtype has this number
//   bad_param         more than infini_max_rank axes
//   bad_tensor_shape, bad_tensor_strides: see judge(); also an extent above 2^63-1
[[nodiscard]] std::variant<InfiniTensor, InfiniStatus> make_tensor(std::size_t ndim, const std::size_t* shape,
                                                                   const std::ptrdiff_t* strides, int dtype);

// Elements from element (0, ..., 0) to the one with this index. bad_param: not one index per axis, or
// one that is not below its extent.
[[nodiscard]] std::variant<std::int64_t, InfiniStatus> offset_of(const Strided& strided,
                                                                 std::span<const std::int64_t> index);

}  // namespace dlspec::reference
