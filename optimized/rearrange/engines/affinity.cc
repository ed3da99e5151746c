#include <dlspec/optimized/rearrange/engines/affinity.h>

#include <unistd.h>

namespace dlspec::optimized {

#ifdef __linux__

int usable_processors() noexcept {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<int>(count) : 1;
}

bool Affinity::read(pthread_t thread) noexcept { return pthread_getaffinity_np(thread, sizeof mask_, &mask_) == 0; }

bool Affinity::read_own() noexcept { return sched_getaffinity(0, sizeof mask_, &mask_) == 0; }

bool Affinity::remove_current() noexcept {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &mask_)) return false;
  CPU_CLR(here, &mask_);
  return CPU_COUNT(&mask_) != 0;
}

bool Affinity::apply(pthread_t thread) const noexcept {
  return pthread_setaffinity_np(thread, sizeof mask_, &mask_) == 0;
}

bool Affinity::apply(pthread_attr_t& attribute) const noexcept {
#ifdef __GLIBC__
  return pthread_attr_setaffinity_np(&attribute, sizeof mask_, &mask_) == 0;
#else
  (void)attribute;  // musl has no such attribute
  return false;
#endif
}

#else

int usable_processors() noexcept {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<int>(count) : 1;
}

bool Affinity::read(pthread_t /*thread*/) noexcept { return false; }

bool Affinity::read_own() noexcept { return false; }

bool Affinity::remove_current() noexcept { return false; }

bool Affinity::apply(pthread_t /*thread*/) const noexcept { return false; }

bool Affinity::apply(pthread_attr_t& /*attribute*/) const noexcept { return false; }

#endif

}  // namespace dlspec::optimized
