// Whether the elements of a layout lie next to each other. Axes of extent 1 have no say, whatever
// their stride; a layout without elements is contiguous in every order.
#pragma once

#include <dlspec/optimized/descriptor/view.h>

namespace dlspec::optimized {

// C order: the last axis varies fastest, no gaps. True for NULL strides.
[[nodiscard]] bool is_row_major(const View& view) noexcept;

// Fortran order: the first axis varies fastest, no gaps.
[[nodiscard]] bool is_column_major(const View& view) noexcept;

// No gaps and no overlap in some order of the axes, each walked in either direction: the elements
// fill one block of memory, so that a copy of the block copies the tensor.
[[nodiscard]] bool is_dense(const View& view) noexcept;

}  // namespace dlspec::optimized
