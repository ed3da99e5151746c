// Where a box lies in shared memory, and how the threads walk through it on both sides.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/box.h>
#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

// What the threads access at once in rows of pieces below 4 bytes.
struct RowWords {
  std::int64_t pieces;        // of a word
  bool to_aligned = false;    // do all rows begin at words?
  bool from_aligned = false;  // the same of the source
  bool skewed = false;        // the box begins up to a word early along the first axis
};

// May the chain of this axis be read forwards only from its other end?
[[nodiscard]] inline bool is_reversed(const BoxAxis& axis) { return axis.from_chain && axis.from < 0; }

// Completes both walks and everything of the plan that is about shared memory.
void place_in_shared_memory(BoxAxes& axes, const RowWords& words, CudaPlan& plan);

}  // namespace dlspec::optimized::cuda
