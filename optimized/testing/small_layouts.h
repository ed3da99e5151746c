// Every layout of rank 0 to 3 with a few small extents and strides, and facts found by enumerating its elements: the
// expected values of the closed formulas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {

struct SmallLayout {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;

  [[nodiscard]] View view(abi::DataType dtype = {kDLFloat, 32, 1}) const { return {dtype, shape, strides.data()}; }

  // Offsets of all elements in C order of their indices.
  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> all{0};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      std::vector<std::int64_t> grown;
      for (const std::int64_t offset : all) {
        for (std::int64_t index = 0; index < shape[axis]; ++index) grown.push_back(offset + index * strides[axis]);
      }
      all = std::move(grown);
    }
    return all;
  }
};

// Calls visit(layout) for each; extents 0 to 4, strides from -most_stride to most_stride.
template <class Visit>
void for_each_small_layout(std::size_t rank, std::int64_t most_stride, const Visit& visit,
                           const SmallLayout& layout = {}) {
  if (layout.shape.size() == rank) return visit(layout);
  for (std::int64_t extent = 0; extent <= 4; ++extent) {
    for (std::int64_t stride = -most_stride; stride <= most_stride; ++stride) {
      SmallLayout next = layout;
      next.shape.push_back(extent);
      next.strides.push_back(stride);
      for_each_small_layout(rank, most_stride, visit, next);
    }
  }
}

template <class Visit>
void for_each_small_layout(const Visit& visit) {
  for_each_small_layout(0, 0, visit);
  for_each_small_layout(1, 12, visit);
  for_each_small_layout(2, 12, visit);
  for_each_small_layout(3, 5, visit);
}

}  // namespace dlspec::optimized::testing
