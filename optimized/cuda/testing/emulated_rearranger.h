// Compares the emulated GPU with the reference: status, destination with its gaps and surroundings, source unchanged,
// and no fault of the kernel. Every second layout that the direct kernel copies is copied through shared memory as
// well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/cuda/testing/emulator.h>
#include <dlspec/optimized/testing/rearranger.h>

namespace dlspec::optimized::cuda::testing {

using optimized::testing::Pair;

// Bytes by which the operands' first bytes miss a multiple of 128.
struct Shift {
  std::size_t to;
  std::size_t from;
};

class EmulatedRearranger {
 public:
  // Empty, or the first difference.
  [[nodiscard]] std::string difference(const Pair& pair, Shift shift = {0, 0}, std::uint64_t seed = 1);

  // Runs 64-bit kernels also where 32 bits suffice.
  void always_wide(bool wide) { always_wide_ = wide; }
  // Copies only every n-th layout of the direct kernel through shared memory, too: every second one if never called.
  void through_shared_every(std::int64_t n) { through_shared_every_ = n; }
  [[nodiscard]] std::int64_t compared() const { return compared_; }
  [[nodiscard]] std::int64_t refused() const { return refused_; }
  // How many copies each kernel made, by its number.
  [[nodiscard]] std::int64_t runs_of(Kernel kernel) const { return runs_[static_cast<std::size_t>(kernel)]; }

 private:
  // By the plan that `execute` takes, or by one through shared memory.
  [[nodiscard]] std::string run(const Rearrangement& copy, std::uint8_t* to, const std::uint8_t* from,
                                std::uint64_t seed);
  [[nodiscard]] std::string run_through_shared(const Rearrangement& copy, std::uint8_t* to, const std::uint8_t* from,
                                               std::uint64_t seed);
  [[nodiscard]] std::string run_plan(CudaPlan plan, const Rearrangement& copy, std::uint8_t* to,
                                     const std::uint8_t* from, std::uint64_t seed);
  [[nodiscard]] std::string compare_buffers(const std::uint8_t* to) const;

  Emulator emulator_;
  std::vector<std::uint8_t> source_, painted_, destination_, expected_;
  std::int64_t compared_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t runs_[6] = {};
  std::int64_t through_shared_every_ = 2;
  bool always_wide_ = false;
  Kernel last_ = Kernel::none;
};

}  // namespace dlspec::optimized::cuda::testing
