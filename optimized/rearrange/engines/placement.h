// Where a thread wakes. A system may put it on the processor of the one that wakes it, where it waits until that one
// has done the work of both: for milliseconds, copy after copy. So whoever wakes a thread bars it from his own
// processor first, and what it may run on is given back to it as soon as it runs.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>

namespace dlspec::optimized {

// One for each thread. Nothing here blocks for longer than the other side takes for a system call or two.
class Placement {
 public:
  // A thread with this attribute begins elsewhere, if it can; it calls `get_up` first of all. By whoever starts it.
  void begin_elsewhere(pthread_attr_t& attribute) noexcept;

  // By the thread itself: about to sleep, and awake.
  void lie_down() noexcept { state_.store(asleep, std::memory_order_seq_cst); }
  void get_up() noexcept;

  // By whoever is about to wake it; without effect on a thread that is awake.
  void wake_elsewhere(pthread_t thread) noexcept;

 private:
  enum State : int { awake, asleep, being_placed, placed };

  // What is allowed but for this processor: false if that is nothing, or nothing new.
  [[nodiscard]] bool find_others(cpu_set_t& others) noexcept;

  std::atomic<int> state_{awake};
  bool is_barred_ = false;
  cpu_set_t allowed_;  // before it was barred; like `is_barred_` with the one who places it, then with the thread
};

}  // namespace dlspec::optimized
