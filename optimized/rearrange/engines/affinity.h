// The processors that a thread may run on. A system without masks (macOS) restricts nothing.
#pragma once

#include <pthread.h>
#include <sched.h>

namespace dlspec::optimized {

// Processors that the calling thread may use, at least 1.
[[nodiscard]] int usable_processors() noexcept;

class Affinity {
 public:
  // The mask of a thread, of the calling one; false where there is none.
  [[nodiscard]] bool read(pthread_t thread) noexcept;
  [[nodiscard]] bool read_own() noexcept;

  // Removes the processor that the caller runs on; false if it was not in the mask, or is the only one.
  [[nodiscard]] bool remove_current() noexcept;

  // Restricts a thread, or those that start with an attribute; false where that is refused.
  bool apply(pthread_t thread) const noexcept;
  [[nodiscard]] bool apply(pthread_attr_t& attribute) const noexcept;

 private:
#ifdef __linux__
  cpu_set_t mask_;
#endif
};

}  // namespace dlspec::optimized
