// The descriptor that a struct spells out, so that a failure can print it.
#pragma once

#include <cstddef>

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::reference {

// What describe reads of shape and strides at most.
inline constexpr std::size_t described_rank = 64;

// Reads the struct, and of shape and strides as many numbers as ndim says, at most described_rank:
// a higher rank is cut, a negative one is 0. Arrays that are NULL, or not aligned for int64, are not
// read: the shape then has rank 0, the strides are left out.
//
// The struct itself must be readable, and its major version one whose fields stand where they stand
// today; after a foreign major only the version and the flags are taken.
[[nodiscard]] Descriptor describe(Exported exported);

}  // namespace dlspec::reference
