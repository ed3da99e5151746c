// Repetition: axes along which one element is read again and again, and shapes that stretch to
// others.
//
// Source: array API standard, Broadcasting, for what stretches to what; dlpack.h, DLTensor.strides,
// for how a stride of 0 says it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

// One answer per axis: its stride is 0 and it has more than one extent. None repeats in a layout
// without elements.
[[nodiscard]] std::vector<bool> repeated_axes(const Axes& axes);

// Aligned at the last axis, every extent of `shape` is 1 or equal to that of `target`; axes that
// `shape` lacks count as 1.
[[nodiscard]] bool broadcastable(std::span<const std::int64_t> shape, std::span<const std::int64_t> target);

// The strides with which the same memory shows the shape `target`: 0 along stretched axes. Nothing
// when the shape does not stretch to it, or a row-major stride does not fit in 63 bits.
[[nodiscard]] std::optional<std::vector<std::int64_t>> broadcast_strides(const Axes& axes,
                                                                         std::span<const std::int64_t> target);

}  // namespace dlspec::reference
