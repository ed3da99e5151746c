// Numbers that the validators, the descriptors and the tests must agree on. Each stands here and nowhere else.
#pragma once

#include <cstdint>

namespace dlspec {

// The highest rank whose shape and strides are read. DLPack sets no limit; the libraries that it serves stop at 64
// or below (NumPy: 64). A struct of a higher rank is reported as tensor.ndim-cap-refused.
inline constexpr std::int32_t max_rank = 64;

// Bytes. DLTensor, the managed structs and the arrays of int64_t behind shape and strides all have this alignment.
inline constexpr std::uintptr_t natural_alignment = 8;

// Bytes. What dlpack.h, DLTensor.data, asks of the data pointer.
inline constexpr std::uintptr_t data_alignment = 256;

// The lowest address at which host memory can be: no host maps its first page.
inline constexpr std::uint64_t lowest_host_address = 4096;

}  // namespace dlspec
