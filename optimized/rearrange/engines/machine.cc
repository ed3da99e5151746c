#include <dlspec/optimized/rearrange/engines/machine.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>

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

}  // namespace

bool read_machine(const char* text, Machine& machine) noexcept {
  Machine result = machine;
  for (;;) {
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

Machine detected_machine() noexcept {
  Machine machine;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  constexpr int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (int i = 0; i < 3; ++i) {
    if (const long size = sysconf(names[i]); size >= min_cache) machine.*cache_sizes[i].size = size;
  }
#endif
  return machine;
}

}  // namespace dlspec::optimized
