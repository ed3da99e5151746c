#include <dlspec/optimized/rearrange/engines/machine.h>

#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdlib>
#include <cstring>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr long min_cache = 1 << 10, max_cache = 1L << 40;  // bytes

struct CacheSize {
  const char* key;
  std::int64_t Machine::* size;
};
constexpr CacheSize cache_sizes[] = {{"l1=", &Machine::l1}, {"l2=", &Machine::l2}, {"l3=", &Machine::l3}};

// Reads "48K" and moves `text` beyond it; 0 if that is no size.
long read_size(const char*& text) {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (end == text || number <= 0 || number >= max_cache) return 0;
  const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  text = end + (shift != 0 ? 1 : 0);
  const long size = number < max_cache >> shift ? number << shift : 0;
  return size >= min_cache ? size : 0;
}

#if defined(__x86_64__)
unsigned family() noexcept {
  constexpr unsigned extended = 0xf;  // the value that has a second part
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return 0;
  const unsigned base = eax >> 8 & 0xf;
  return base == extended ? base + (eax >> 20 & 0xff) : base;
}

// What one L3 of an AMD processor has: glibc reports the sum of all of the package, of which a core uses one. 0 if the
// processor does not say.
long amd_l3() noexcept {
  constexpr unsigned cache_properties = 0x8000001d, third = 3;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(cache_properties, third, &eax, &ebx, &ecx, &edx) == 0 || (eax >> 5 & 7) != third) return 0;
  const long line = (ebx & 0xfff) + 1, partitions = (ebx >> 12 & 0x3ff) + 1, ways = (ebx >> 22) + 1;
  return line * partitions * ways * (static_cast<long>(ecx) + 1);
}
#endif

// Reads "core=zen4" and moves `text` beyond it.
bool read_core(const char*& text, Core& core) {
  constexpr std::size_t key = 5;
  if (std::strncmp(text, "core=", key) != 0) return false;
  for (std::size_t i = 0; i < core_count; ++i) {
    const char* const name = core_name(static_cast<Core>(i));
    const std::size_t length = std::strlen(name);
    if (std::strncmp(text + key, name, length) != 0) continue;
    core = static_cast<Core>(i);
    text += key + length;
    return true;
  }
  return false;
}

}  // namespace

bool read_machine(const char* text, Machine& machine) noexcept {
  Machine result = machine;
  for (;;) {
    if (read_core(text, result.core)) {
      if (*text == 0) break;
      if (*text++ != ',') return false;
      continue;
    }
    const CacheSize* found = nullptr;
    for (const CacheSize& one : cache_sizes) {
      if (std::strncmp(text, one.key, 3) == 0) found = &one;
    }
    if (found == nullptr) return false;
    text += 3;
    const long size = read_size(text);
    if (size == 0) return false;
    result.*found->size = size;
    if (*text == 0) break;
    if (*text++ != ',') return false;
  }
  machine = result;
  return true;
}

std::int64_t share_of_l3(std::int64_t size, std::int64_t processors, Core core) noexcept {
  if (core == Core::granite_rapids) return size / 5;
  constexpr std::int64_t most_of_one = 8 << 20;  // twice what Zen 4 has for each core
  return min(core == Core::zen5 ? size / 2 : size / 8 * 3, max(1, processors) * most_of_one);
}

Machine detected_machine() noexcept {
  Machine machine;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  constexpr int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (int i = 0; i < 3; ++i) {
    if (const long size = sysconf(names[i]); size >= min_cache) machine.*cache_sizes[i].size = size;
  }
#endif
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd") != 0) {
    machine.core = amd_core(family());
    if (const long size = amd_l3(); size >= min_cache) machine.l3 = size;
  } else if (__builtin_cpu_is("intel") != 0) {
    machine.core = intel_core(machine.l3);
  }
#endif
  const std::int64_t share = share_of_l3(machine.l3, sysconf(_SC_NPROCESSORS_CONF), machine.core);
  if (share > machine.l2) machine.l3 = share;
  return machine;
}

}  // namespace dlspec::optimized
