// Whether a layout is contiguous.
//
// Axes of extent 1 may have any stride, and a layout without elements is contiguous in every order, because these
// strides do not change the address of any element. NULL strides are row-major by definition.
#pragma once

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

// Contiguous with the last axis varying fastest (C order).
[[nodiscard]] bool is_row_major(const Axes& axes);

// Contiguous with the first axis varying fastest (Fortran order).
[[nodiscard]] bool is_column_major(const Axes& axes);

}  // namespace dlspec::reference
