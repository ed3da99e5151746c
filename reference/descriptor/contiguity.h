// Whether the elements of a layout lie one after the other.
//
// Axes with one extent may have any stride, and a layout without elements is compact in every order:
// no element would be found elsewhere. Strides that are NULL are row-major by definition.
#pragma once

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

// Compact with the last axis varying fastest (C order).
[[nodiscard]] bool is_row_major(const Axes& axes);

// Compact with the first axis varying fastest (Fortran order).
[[nodiscard]] bool is_column_major(const Axes& axes);

}  // namespace dlspec::reference
