// A layout that somebody else owns: what the functions of this folder are asked about.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::optimized {

// Does not own. Valid as long as the arrays that it points to. The dtype says how elements lie in
// memory: for sub-byte elements that are padded to bytes, pass 8 bits.
struct View {
  abi::DataType dtype;
  std::span<const std::int64_t> shape;
  const std::int64_t* strides = nullptr;  // elements, one per axis; NULL: row-major and compact

  constexpr View(abi::DataType element, std::span<const std::int64_t> extents, const std::int64_t* steps)
      : dtype(element), shape(extents), strides(steps) {}
  // A tensor that validate() found no failure in: ndim >= 0, shape readable.
  explicit View(const abi::Tensor& tensor)
      : View(tensor.dtype, {tensor.shape, static_cast<std::size_t>(tensor.ndim)}, tensor.strides) {}
  explicit View(const Layout& layout)
      : View(layout.dtype, layout.shape, layout.strides ? layout.strides->data() : nullptr) {}
};

}  // namespace dlspec::optimized
