// The CUDA driver of this machine, of which only the version is asked here.
#pragma once

namespace dlspec::conformance {

// The newest major version of CUDA that the driver supports; 0 where there is no driver. DLSPEC_CUDA_DRIVER is the path
// of a library that stands in for it.
[[nodiscard]] int cuda_major();

}  // namespace dlspec::conformance
