// Runs the phases of a plan's kernel on the host, thread by thread, in an order that a seed shuffles anew for each
// phase. The code is the kernels' own: phases/kernels.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <dlspec/optimized/cuda/phases/kernels.h>
#include <dlspec/optimized/cuda/testing/emulated_memory.h>

namespace dlspec::optimized::cuda::testing {

// The threads of a block in random order, one order for each phase.
class ThreadOrders {
 public:
  void shuffle(std::uint64_t seed, std::uint32_t threads) {
    if (seed == seed_ && threads == orders_[0].size()) return;
    seed_ = seed;
    std::mt19937_64 random(seed);
    for (auto& order : orders_) {
      order.resize(threads);
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random);
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(int phase) const { return orders_[phase]; }

 private:
  std::uint64_t seed_ = 0;
  std::vector<std::uint32_t> orders_[2];
};

class Emulator {
 public:
  // Runs these blocks of the plan, all if there are none; false if a GPU would refuse the launch.
  template <class Global>
  bool run(const CudaPlan& plan, Global& global, std::uint64_t seed, Tracer* tracer = nullptr,
           std::span<const std::int64_t> blocks = {}) {
    orders_.shuffle(seed, plan.threads);
    EmulatedMemory<Global> memory(global, shared_, faults_, tracer);
    memory.begin(plan);
    Visitor<EmulatedMemory<Global>> visitor{*this, memory, plan, tracer, blocks};
    return visit_kernel(plan, visitor);
  }

  [[nodiscard]] const Faults& faults() const { return faults_; }
  void clear_faults() { faults_ = {}; }

 private:
  template <class Memory>
  struct Visitor {
    Emulator& emulator;
    Memory& memory;
    const CudaPlan& plan;
    Tracer* tracer;
    std::span<const std::int64_t> blocks;

    template <class KernelType>
    void visit() {
      if (blocks.empty()) {
        for (std::int64_t block = 0; block < plan.blocks; ++block) run_block<KernelType>(block);
      } else {
        for (const std::int64_t block : blocks) run_block<KernelType>(block);
      }
    }

    template <class KernelType>
    void run_block(std::int64_t block) {
      memory.running.block = block;
      emulator.shared_.begin_block(plan.shared_bytes);
      run_phase<KernelType, 0>();
      if constexpr (KernelType::phases > 1) run_phase<KernelType, 1>();
      static_assert(KernelType::phases <= 2);
    }

    template <class KernelType, int phase>
    void run_phase() {
      emulator.shared_.begin_phase();
      memory.running.phase = phase;
      for (const std::uint32_t thread : emulator.orders_.of(phase)) {
        memory.running.thread = thread;
        KernelType::template run<phase>(memory, Context{thread, memory.running.block}, plan);
      }
      if (tracer != nullptr) tracer->count();
    }
  };

  SharedMemory shared_;
  Faults faults_;
  ThreadOrders orders_;
};

}  // namespace dlspec::optimized::cuda::testing
