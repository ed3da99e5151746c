// Broadcasting: axes of stride 0, and shapes that can be broadcast to others.
//
// Source: array API standard, Broadcasting; dlpack.h, DLTensor.strides, for a stride of 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

// For each axis whether it is a broadcast axis: its stride is 0 and its extent above 1. A layout without elements has
// none.
[[nodiscard]] std::vector<bool> repeated_axes(const Axes& axes);

// Whether, aligned at the last axis, every extent of `shape` is 1 or equal to that of `target`; missing leading axes of
// `shape` count as 1.
[[nodiscard]] bool broadcastable(std::span<const std::int64_t> shape, std::span<const std::int64_t> target);

// The strides with which the same memory has the shape `target`: 0 along broadcast axes. No value when the shape cannot
// be broadcast to it, or a row-major stride overflows int64.
[[nodiscard]] std::optional<std::vector<std::int64_t>> broadcast_strides(const Axes& axes,
                                                                         std::span<const std::int64_t> target);

}  // namespace dlspec::reference
