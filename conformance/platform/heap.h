// How much memory the C allocator has given out.
#pragma once

#include <cstddef>

namespace dlspec::conformance {

// Bytes that this process has in use on the C heap; 0 where the allocator does not say.
[[nodiscard]] std::size_t heap_bytes();

}  // namespace dlspec::conformance
