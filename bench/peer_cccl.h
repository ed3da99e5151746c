// The C interface of libbench_cccl.so: copies by CCCL, for bench_cuda to measure ours against. The library is built
// where nvcc and CCCL's headers are; bench_cuda looks for it when it runs.
#pragma once

#include <cstdint>

namespace dlspec::bench {

// Each rank and element size is a kernel of its own.
inline constexpr int max_cccl_rank = 8;
inline constexpr int cccl_sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};  // bytes of an element

// A copy in elements, axes outermost first.
struct CcclCopy {
  std::int32_t element_size;
  std::int32_t rank;
  std::int32_t extents[max_cccl_rank];
  std::int32_t to[max_cccl_rank];
  std::int32_t from[max_cccl_rank];
};

extern "C" {

// As CCCL writes it: 3000001 is 3.0.1.
using CcclVersion = int (*)();
// Enqueues the copy on a cudaStream_t. 0, 1 if there is no kernel for it, or 2 for an error that CUDA reports.
using CcclEnqueue = int (*)(const CcclCopy* copy, void* to, const void* from, void* stream);

}  // extern "C"

}  // namespace dlspec::bench
