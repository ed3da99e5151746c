#include <dlspec/reference/descriptor/contiguity.h>

namespace dlspec::reference {

bool is_row_major(const Axes& axes) {
  if (is_empty(axes.shape)) return true;
  Wide compact = 1;
  for (std::size_t axis = axes.rank(); axis-- > 0;) {
    if (axes.shape[axis] != 1 && stride_of(axes, axis) != compact) return false;
    compact *= axes.shape[axis];
  }
  return true;
}

bool is_column_major(const Axes& axes) {
  if (is_empty(axes.shape)) return true;
  Wide compact = 1;
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    if (axes.shape[axis] != 1 && stride_of(axes, axis) != compact) return false;
    compact *= axes.shape[axis];
  }
  return true;
}

}  // namespace dlspec::reference
