#include <dlspec/optimized/rearrange/engines/wake_up.h>

namespace dlspec::optimized {

namespace {

// The allowed processors but for the current one; false if there is none, or if the current one is not allowed.
bool find_others(const Affinity& allowed, Affinity& others) noexcept {
  others = allowed;
  return others.remove_current();
}

}  // namespace

void WakeUp::start_on_other_cpu(pthread_attr_t& attribute) noexcept {
  Affinity others;
  is_restricted_ = allowed_.read_own() && find_others(allowed_, others) && others.apply(attribute);
  state_.store(affinity_set, std::memory_order_release);
}

void WakeUp::end_sleep() noexcept {
  int expected = asleep;
  if (state_.compare_exchange_strong(expected, awake, std::memory_order_acq_rel)) return;
  while (state_.load(std::memory_order_acquire) == setting_affinity) sched_yield();
  if (is_restricted_) allowed_.apply(pthread_self());
  state_.store(awake, std::memory_order_release);
}

void WakeUp::wake_on_other_cpu(pthread_t thread) noexcept {
  int expected = asleep;
  if (!state_.compare_exchange_strong(expected, setting_affinity, std::memory_order_acq_rel)) return;
  Affinity others;
  is_restricted_ = allowed_.read(thread) && find_others(allowed_, others) && others.apply(thread);
  state_.store(affinity_set, std::memory_order_release);
}

}  // namespace dlspec::optimized
