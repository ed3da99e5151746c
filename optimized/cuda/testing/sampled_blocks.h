// Some blocks of a copy that no memory holds: its first, middle and last, and others by chance, run against a source
// that is computed from its offsets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/cuda/testing/emulator.h>
#include <dlspec/optimized/cuda/testing/virtual_memory.h>
#include <dlspec/optimized/testing/rearranger.h>

namespace dlspec::optimized::cuda::testing {

inline Rearrangement planned(const optimized::testing::Pair& pair) {
  Rearrangement copy;
  const Status status =
      make_plan({pair.dtype, pair.shape, pair.to.data()}, {pair.dtype, pair.shape, pair.from.data()}, copy);
  EXPECT_EQ(status, Status::ok) << pair.text();
  return copy;
}

// At most `count` blocks of the plan, in order.
inline std::vector<std::int64_t> sampled_blocks(const CudaPlan& plan, std::uint64_t seed, std::size_t count) {
  std::vector<std::int64_t> blocks{0, plan.blocks / 2, plan.blocks - 1};
  std::mt19937_64 random(seed);
  while (blocks.size() < count) {
    blocks.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(plan.blocks)));
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

// Empty, or the first fault of these blocks. The destination's axes are nested.
inline std::string sampled_fault(const optimized::testing::Pair& pair, std::uint64_t seed, Alignment alignment = {},
                                 std::size_t count = 4) {
  const Rearrangement copy = planned(pair);
  CudaPlan plan;
  if (schedule(copy.geometry, alignment, plan) != Status::ok || !is_launchable(plan)) return "no plan";
  const std::vector<std::int64_t> blocks = sampled_blocks(plan, seed, count);
  VirtualMemory memory(copy.geometry, alignment.to % 16, alignment.from % 16);
  Emulator emulator;
  if (!emulator.run(plan, memory, seed, nullptr, blocks)) return "no kernel";
  if (memory.bytes_written() == 0) return "nothing written";
  return emulator.faults().all() == 0 ? "" : emulator.faults().first + ", " + name_of(plan.kernel);
}

}  // namespace dlspec::optimized::cuda::testing
