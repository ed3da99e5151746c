// The logical contents of a tensor: its elements in C order, one after the other, sub-byte elements
// packed as DLPack 1.1 packs them. Two tensors are equal when these bytes are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::reference {

inline constexpr std::size_t default_contents_limit = std::size_t{1} << 30;

// Puts the contents into `contents`, which is left empty unless the answer is ok. Unused bits of the
// last byte are 0. With `padded`, sub-byte lanes of the tensor lie one to a byte.
//
// The tensor may be hostile as far as its numbers go; what it points to must be readable: ndim
// numbers behind shape, and behind strides unless NULL, and its elements in this process's memory.
//   bad_rank      ndim is negative or above highest_rank
//   null_pointer  shape is NULL although ndim is not 0; data is NULL although there are elements
//   size_limit    the contents are larger than `byte_limit`, or than there is memory for
// and otherwise what rearrange says of the tensor as a source.
[[nodiscard]] Status gather(const abi::Tensor& tensor, bool padded, std::vector<std::uint8_t>& contents,
                            std::size_t byte_limit = default_contents_limit);

// The inverse: writes contents into the tensor's elements. Answers as gather does, what rearrange
// says of the tensor as a destination, and shape_mismatch when the contents have another size.
[[nodiscard]] Status scatter(std::span<const std::uint8_t> contents, const abi::Tensor& tensor, bool padded,
                             std::size_t byte_limit = default_contents_limit);

}  // namespace dlspec::reference
