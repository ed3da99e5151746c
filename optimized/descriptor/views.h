// View operations: other geometries of the same memory, made in place. Axes count from 0; negative axes are invalid.
// Nothing allocates; a view belongs to one thread at a time.
//
// The view must be one that judge() accepts, and so is the result. On any status but success the view is unchanged.
// Returns the first status that applies: those of the operation (below), then bad_tensor_shape for more than 2^63-1
// elements, then bad_tensor_strides for elements too far from the origin.
//
// Without elements, strides are ignored: they are kept or multiplied as usual, but saturate at 2^63-1 instead of
// overflowing int64, and the origin stays. The same holds for the stride of an axis with extent 1.
#pragma once

#include <dlspec/optimized/descriptor/strided.h>

namespace dlspec::optimized {

// Axis i becomes the former axis order[i]. bad_param: `order` is no permutation of the axes.
[[nodiscard]] InfiniStatus permute(Strided& view, std::span<const std::size_t> order) noexcept;

// Removes an axis. bad_param: no such axis, or its extent is not 1.
[[nodiscard]] InfiniStatus squeeze(Strided& view, std::size_t axis) noexcept;

// Inserts an axis of extent 1 and stride 0 before `axis` (at the end for `axis` == rank). bad_param: `axis` is above
// the rank, or the rank would be too high.
[[nodiscard]] InfiniStatus unsqueeze(Strided& view, std::size_t axis) noexcept;

// Selects the indices start, start + step, ... of one axis, `length` of them; a negative step goes backwards. The
// stride is unchanged for less than two of them. bad_param: no such axis, step 0, a negative length, or an index out of
// range; for length 0 `start` may also be the extent.
[[nodiscard]] InfiniStatus narrow(Strided& view, std::size_t axis, std::int64_t start, std::int64_t length,
                                  std::int64_t step = 1) noexcept;

// Any geometry, with its origin `offset` elements from the view's. bad_param: not one stride per extent, too many axes,
// or an element outside the view's span. bad_tensor_shape: a negative extent, which takes precedence over the span.
[[nodiscard]] InfiniStatus as_strided(Strided& view, std::span<const std::int64_t> shape,
                                      std::span<const std::int64_t> strides, std::int64_t offset) noexcept;

// Reverses an axis: the origin moves to its last index. bad_param: no such axis.
[[nodiscard]] InfiniStatus reverse(Strided& view, std::size_t axis) noexcept;

// Broadcasts axes of extent 1, and new leading ones, with stride 0. bad_param: too many axes. bad_tensor_shape: the
// view's shape does not broadcast to `shape`.
[[nodiscard]] InfiniStatus broadcast_to(Strided& view, std::span<const std::int64_t> shape) noexcept;

// Splits an axis into several, the last of which varies fastest. bad_param: no such axis, too many axes, or the product
// of the (non-negative) extents is not the axis's extent.
[[nodiscard]] InfiniStatus split(Strided& view, std::size_t axis, std::span<const std::int64_t> extents) noexcept;

// True if the axes `first` to `last`, both included, can be merged: among those with an extent other than 1, each
// stride is the next stride times the next extent, and none is 0. Always true without elements.
[[nodiscard]] bool is_mergeable(const Strided& view, std::size_t first, std::size_t last) noexcept;

// Merges several axes into one. Its stride is that of the innermost axis with an extent other than 1 (of the last axis
// if there is none). bad_param: not first <= last < rank, or not mergeable.
[[nodiscard]] InfiniStatus merge(Strided& view, std::size_t first, std::size_t last) noexcept;

// Reshapes without a copy: the same elements in the same (row-major) order. An axis of extent 1 gets the next axis's
// stride times its extent, the last one 1. bad_param: too many axes. bad_tensor_shape: a negative extent, or another
// number of elements. bad_tensor_strides: no strides give this shape.
[[nodiscard]] InfiniStatus view_as(Strided& view, std::span<const std::int64_t> shape) noexcept;

}  // namespace dlspec::optimized
