// View operations: other geometries of the same memory. Nothing is copied; each returns a new view, or the status that
// says why there is none. Axes are counted from 0; negative axes are not accepted. No function throws or keeps state.
//
// For a view that judge() accepts, the result is one that judge() accepts. The first status that applies is returned:
// those of the operation itself (below), then that of judge() for the result.
//
// The strides of a view without elements are ignored: they are kept or multiplied as in any other, but saturate at
// 2^63-1, and the origin does not move. The same holds for the stride of an axis of extent 1.
#pragma once

#include <dlspec/reference/descriptor/strided.h>

namespace dlspec::reference {

using ViewResult = std::variant<Strided, InfiniStatus>;

// Axis i of the result is axis order[i] of the view. bad_param: `order` does not name each axis once.
[[nodiscard]] ViewResult permute(const Strided& view, std::span<const std::size_t> order);

// Drops an axis. bad_param: there is no such axis, or its extent is not 1.
[[nodiscard]] ViewResult squeeze(const Strided& view, std::size_t axis);

// Inserts an axis of extent 1 and stride 0 before `axis` (at the end for the rank itself). bad_param:
// `axis` is above the rank, or the rank would be too high.
[[nodiscard]] ViewResult unsqueeze(const Strided& view, std::size_t axis);

// Along one axis the `length` indices start, start + step, ...; a negative step reverses their order. With fewer than
// two indices the step changes no stride. bad_param: no such axis, a step of 0, a negative length, or an index that
// does not exist; for length 0 `start` may also be the extent.
[[nodiscard]] ViewResult narrow(const Strided& view, std::size_t axis, std::int64_t start, std::int64_t length,
                                std::int64_t step = 1);

// Any geometry, with its origin `offset` elements from the view's. bad_param: not one stride per
// extent, too many axes, or an element below the view's lowest or above its highest.
[[nodiscard]] ViewResult as_strided(const Strided& view, std::span<const std::int64_t> shape,
                                    std::span<const std::int64_t> strides, std::int64_t offset);

// Reverses an axis: the origin moves to its last index. bad_param: no such axis.
[[nodiscard]] ViewResult reverse(const Strided& view, std::size_t axis);

// Repeats axes of extent 1, and new leading ones, with a stride of 0. bad_param: too many axes.
// bad_tensor_shape: the view's shape cannot be broadcast to `shape`.
[[nodiscard]] ViewResult broadcast_to(const Strided& view, std::span<const std::int64_t> shape);

// Splits an axis into several, of which the last varies fastest. bad_param: no such axis, too many axes,
// or the product of the (non-negative) extents is not the axis's.
[[nodiscard]] ViewResult split(const Strided& view, std::size_t axis, std::span<const std::int64_t> extents);

// Whether axes first to last, both included, can be merged: among those with an extent other than 1 each stride is the
// next one's stride times its extent, and none is 0. Always true without elements.
[[nodiscard]] bool is_mergeable(const Strided& view, std::size_t first, std::size_t last);

// Merges axes into one, whose stride is that of the innermost axis with an extent other than 1. bad_param:
// not first <= last < rank, or not mergeable.
[[nodiscard]] ViewResult merge(const Strided& view, std::size_t first, std::size_t last);

// Another shape with the elements in the same (row-major) order, where strides for it exist. An axis of extent 1 gets
// the stride of the axis after it times that one's extent, the last one 1. bad_param: too many axes. bad_tensor_shape:
// a negative extent or another number of elements. bad_tensor_strides: no strides give the elements in that order.
[[nodiscard]] ViewResult view_as(const Strided& view, std::span<const std::int64_t> shape);

}  // namespace dlspec::reference
