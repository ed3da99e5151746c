// Helpers that turn a box into the walks, splits and grid axes of a plan.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/box.h>
#include <dlspec/optimized/cuda/schedule/plan.h>

namespace dlspec::optimized::cuda {

inline constexpr std::int64_t warp_threads = 32;
inline constexpr std::int64_t sector = 32;  // bytes that DRAM and L2 move at once
// Smaller pieces pass through shared memory one by one, and are accessed by words of so many bytes.
inline constexpr std::int64_t word_bytes = 4;

// Factors of a division by `divisor` >= 2 of numbers below 2^31.
[[nodiscard]] Divisor make_divisor(std::uint32_t divisor);

// One axis of a walk before it is divided among threads and steps.
struct WalkPart {
  std::int64_t extent;
  std::int32_t shared;
  std::int64_t to;
  std::int64_t from;
  int coordinate;           // that its index belongs to, or no_coordinate
  bool is_bounded = false;  // the threads' parts exceed it, so that coordinate 2 must be checked
};
inline constexpr int no_coordinate = -1;
inline constexpr int step_coordinate = 2;
inline constexpr int word_coordinate = 3;

// Divides the axes, innermost first, among `lanes` threads of each warp, which then take steps.
class WalkBuilder {
 public:
  explicit WalkBuilder(Walk& walk, std::int64_t lanes = warp_threads);
  void add(const WalkPart& part);
  void finish();

 private:
  void push(std::int64_t extent, std::int64_t stride, const WalkPart& part);

  Walk& walk_;
  const std::int64_t lanes_;
  std::int64_t room_;  // threads that are left for further axes
  int thread_axes_ = 0;
  WalkAxis step_axes_[max_walk_axes];
  int step_count_ = 0;
};

// Sets the splits and the grid axes, and the number of blocks.
void set_grid(const BoxAxes& axes, CudaPlan& plan);

// Sets the threads of a block, from the walks that are complete.
void set_threads(CudaPlan& plan);

}  // namespace dlspec::optimized::cuda
