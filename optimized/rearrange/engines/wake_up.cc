#include <dlspec/optimized/rearrange/engines/wake_up.h>

namespace dlspec::optimized {

bool WakeUp::find_other_cpus(cpu_set_t& others) noexcept {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &allowed_)) return false;
  others = allowed_;
  CPU_CLR(here, &others);
  return CPU_COUNT(&others) != 0;
}

void WakeUp::start_on_other_cpu(pthread_attr_t& attribute) noexcept {
  cpu_set_t others;
  is_restricted_ = sched_getaffinity(0, sizeof allowed_, &allowed_) == 0 && find_other_cpus(others) &&
                   pthread_attr_setaffinity_np(&attribute, sizeof others, &others) == 0;
  state_.store(affinity_set, std::memory_order_release);
}

void WakeUp::end_sleep() noexcept {
  int expected = asleep;
  if (state_.compare_exchange_strong(expected, awake, std::memory_order_acq_rel)) return;
  while (state_.load(std::memory_order_acquire) == setting_affinity) sched_yield();
  if (is_restricted_) pthread_setaffinity_np(pthread_self(), sizeof allowed_, &allowed_);
  state_.store(awake, std::memory_order_release);
}

void WakeUp::wake_on_other_cpu(pthread_t thread) noexcept {
  int expected = asleep;
  if (!state_.compare_exchange_strong(expected, setting_affinity, std::memory_order_acq_rel)) return;
  cpu_set_t others;
  is_restricted_ = pthread_getaffinity_np(thread, sizeof allowed_, &allowed_) == 0 && find_other_cpus(others) &&
                   pthread_setaffinity_np(thread, sizeof others, &others) == 0;
  state_.store(affinity_set, std::memory_order_release);
}

}  // namespace dlspec::optimized
