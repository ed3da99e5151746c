#include <dlspec/optimized/rearrange/engines/placement.h>

namespace dlspec::optimized {

bool Placement::find_others(cpu_set_t& others) noexcept {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &allowed_)) return false;
  others = allowed_;
  CPU_CLR(here, &others);
  return CPU_COUNT(&others) != 0;
}

void Placement::begin_elsewhere(pthread_attr_t& attribute) noexcept {
  cpu_set_t others;
  is_barred_ = sched_getaffinity(0, sizeof allowed_, &allowed_) == 0 && find_others(others) &&
               pthread_attr_setaffinity_np(&attribute, sizeof others, &others) == 0;
  state_.store(placed, std::memory_order_release);
}

void Placement::get_up() noexcept {
  int expected = asleep;
  if (state_.compare_exchange_strong(expected, awake, std::memory_order_acq_rel)) return;
  while (state_.load(std::memory_order_acquire) == being_placed) sched_yield();
  if (is_barred_) pthread_setaffinity_np(pthread_self(), sizeof allowed_, &allowed_);
  state_.store(awake, std::memory_order_release);
}

void Placement::wake_elsewhere(pthread_t thread) noexcept {
  int expected = asleep;
  if (!state_.compare_exchange_strong(expected, being_placed, std::memory_order_acq_rel)) return;
  cpu_set_t others;
  is_barred_ = pthread_getaffinity_np(thread, sizeof allowed_, &allowed_) == 0 && find_others(others) &&
               pthread_setaffinity_np(thread, sizeof others, &others) == 0;
  state_.store(placed, std::memory_order_release);
}

}  // namespace dlspec::optimized
