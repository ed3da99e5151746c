// CPU affinity during a wake-up. The scheduler may wake a thread on the processor of the thread that wakes it, where it
// waits for milliseconds, copy after copy, until the caller has done the work of both. So the caller removes its own
// processor from the sleeping thread's affinity mask, and the thread restores the mask as soon as it runs.
#pragma once

#include <pthread.h>

#include <atomic>

#include <dlspec/optimized/rearrange/engines/affinity.h>

namespace dlspec::optimized {

// One for each thread. Blocks for no longer than the other side takes for one or two system calls.
class WakeUp {
 public:
  // Called by the starter: a thread with this attribute starts on another processor if possible. It calls end_sleep()
  // first of all.
  void start_on_other_cpu(pthread_attr_t& attribute) noexcept;

  // Called by the thread itself, before and after it sleeps.
  void begin_sleep() noexcept { state_.store(asleep, std::memory_order_seq_cst); }
  void end_sleep() noexcept;

  // Called by whoever wakes the thread; no effect on a thread that is awake.
  void wake_on_other_cpu(pthread_t thread) noexcept;

 private:
  enum State : int { awake, asleep, setting_affinity, affinity_set };

  std::atomic<int> state_{awake};
  bool is_restricted_ = false;
  // the mask to restore; written, like `is_restricted_`, in the state setting_affinity, then owned by the thread
  Affinity allowed_;
};

}  // namespace dlspec::optimized
