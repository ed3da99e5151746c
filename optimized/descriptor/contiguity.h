// Are the elements of a layout contiguous? Axes of extent 1 are ignored, whatever their stride; a layout without
// elements is contiguous in every order. Pure functions of the view: any thread, no allocation. Layout rules: DLTensor
// in dlpack.h.
#pragma once

#include <dlspec/optimized/descriptor/view.h>

namespace dlspec::optimized {

// C order: the last axis varies fastest, no gaps. True for NULL strides.
[[nodiscard]] bool is_row_major(const View& view) noexcept;

// Fortran order: the first axis varies fastest, no gaps.
[[nodiscard]] bool is_column_major(const View& view) noexcept;

// No gaps and no overlap in some order and direction of the axes: the elements fill one block of memory, so that a copy
// of the block copies the tensor.
[[nodiscard]] bool is_dense(const View& view) noexcept;

}  // namespace dlspec::optimized
