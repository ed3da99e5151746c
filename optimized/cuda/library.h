// libdlspec_cuda.so, the only part of dlspec that contains CUDA: loaded when it is first asked for, from the folder of
// the program or library that this code is linked into, from ../lib beside it, or from the loader's search path. It is
// never unloaded. Thread-safe.
#pragma once

#include <dlspec/optimized/cuda/schedule/library_table.h>

namespace dlspec::optimized::cuda {

// Its functions; NULL if the library is absent or was built for another version of CudaPlan.
[[nodiscard]] const LibraryTable* library() noexcept;

}  // namespace dlspec::optimized::cuda
