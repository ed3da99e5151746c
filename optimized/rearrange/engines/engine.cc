#include <dlspec/optimized/rearrange/engines/engine.h>

#include <unistd.h>

#include <dlspec/optimized/rearrange/cpu/kernels.h>
#include <dlspec/optimized/rearrange/engines/settings.h>

namespace dlspec::optimized {
namespace {

bool always() noexcept { return true; }

#if defined(__x86_64__)
// __builtin_cpu_supports also asks whether the system saves the registers.
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }
bool has_avx512() noexcept {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
}
#endif

constexpr Engine table[] = {
    {"scalar", 0, always, &scalar_kernels, nullptr},
#if defined(__x86_64__)
    {"sse2", 16, always, &sse2_kernels, nullptr},
    {"avx2", 32, has_avx2, &avx2_kernels, &avx2_kernels},
    {"avx512", 64, has_avx512, &avx512_kernels, &avx2_kernels},
#elif defined(__aarch64__)
    {"neon", 16, always, &neon_kernels, nullptr},
#endif
};

}  // namespace

std::span<const Engine> engines() noexcept { return table; }

const Engine* find_engine(std::string_view name) noexcept {
  for (const Engine& engine : table) {
    if (name == engine.name) return &engine;
  }
  return nullptr;
}

const Engine& best_engine(std::string_view highest) noexcept {
  const Engine* const limit = find_engine(highest);
  const Engine* best = table;
  for (const Engine& engine : table) {
    if (engine.available()) best = &engine;
    if (&engine == limit) break;
  }
  return *best;
}

const Engine& default_engine() noexcept { return *settings().engine; }

bool has_large_l3() noexcept {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  static const bool is_large = sysconf(_SC_LEVEL3_CACHE_SIZE) >= 128L << 20;
  return is_large;
#else
  return false;
#endif
}

}  // namespace dlspec::optimized
