// The descriptor of an exported struct, so that a failure can print it.
#pragma once

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::reference {

// Reads the struct, and ndim numbers of shape and strides, at most max_rank: a higher rank is truncated, a negative one
// is 0. Arrays that are NULL, or not aligned for int64, are not read: the shape then has rank 0, and the strides have
// no value.
//
// The struct must be readable in the layout of its generation. Of a struct with another major version than 1 only
// version and flags are read.
[[nodiscard]] Descriptor describe(Exported exported);

}  // namespace dlspec::reference
