// The logical contents of a tensor: its elements in C order without gaps, sub-byte elements packed as in DLPack 1.1.
// Two tensors of one dtype and shape are equal when these bytes are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::reference {

// Bytes.
inline constexpr std::size_t default_contents_limit = std::size_t{1} << 30;

// Writes the contents into `contents`, which is empty unless the status is ok. Unused bits of the last byte are 0. With
// `padded`, each sub-byte lane of the tensor has a byte of its own.
//
// The tensor's numbers may be hostile, but its pointers must be readable: ndim numbers at shape, and at strides unless
// NULL, and its elements, in this process's memory. Statuses:
//   bad_rank      ndim is negative or above max_rank
//   null_pointer  shape is NULL although ndim is not 0; data is NULL although there are elements
//   size_limit    the contents are larger than `byte_limit`, or could not be allocated
// and otherwise those of rearrange() for a source. Does not throw.
[[nodiscard]] Status gather(const abi::Tensor& tensor, bool padded, std::vector<std::uint8_t>& contents,
                            std::size_t byte_limit = default_contents_limit);

// The inverse: writes contents into the tensor's elements. Statuses: those of gather(), those of rearrange() for a
// destination, and shape_mismatch when the contents have another size.
[[nodiscard]] Status scatter(std::span<const std::uint8_t> contents, const abi::Tensor& tensor, bool padded,
                             std::size_t byte_limit = default_contents_limit);

}  // namespace dlspec::reference
