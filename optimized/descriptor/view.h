// A borrowed layout: the argument of the functions in this folder.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::optimized {

// Does not own; valid as long as the arrays that it points to. The dtype gives the size in memory: for sub-byte
// elements padded to bytes, pass 8 bits.
struct View {
  abi::DataType dtype;
  std::span<const std::int64_t> shape;
  const std::int64_t* strides = nullptr;  // in elements, one per axis; NULL: row-major and compact

  constexpr View(abi::DataType element, std::span<const std::int64_t> extents, const std::int64_t* steps)
      : dtype(element), shape(extents), strides(steps) {}
  // For a tensor without findings of validate(): ndim >= 0, shape readable.
  explicit View(const abi::Tensor& tensor)
      : View(tensor.dtype, {tensor.shape, static_cast<std::size_t>(tensor.ndim)}, tensor.strides) {}
  explicit View(const Layout& layout)
      : View(layout.dtype, layout.shape, layout.strides ? layout.strides->data() : nullptr) {}
};

}  // namespace dlspec::optimized
