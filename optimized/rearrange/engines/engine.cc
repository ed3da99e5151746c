#include <dlspec/optimized/rearrange/engines/engine.h>

#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>
#include <dlspec/optimized/rearrange/engines/settings.h>

namespace dlspec::optimized {
namespace {

constexpr std::size_t instruction_cores = 3;
static_assert(instructions_of(Core::granite_rapids) == Core::sapphire_rapids);

bool always() noexcept { return true; }

#if defined(__x86_64__)
// __builtin_cpu_supports also asks whether the system saves the registers.
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }
bool has_avx512() noexcept {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
}
#endif

// Measured on each core: in thirds of a nanosecond on Sapphire Rapids, in units of 0.42 on Zen 4 and 0.25 on Zen 5.
constexpr KernelCycles scalar_cycles[instruction_cores] = {{.vector = 1, .run = 3.2, .short_run = 3.4, .long_run = 4},
                                                           {.vector = 2, .run = 6, .short_run = 6},
                                                           {.vector = 1, .run = 5.8, .short_run = 6.7, .long_run = 1}};
#if defined(__x86_64__)
constexpr KernelCycles sse2_cycles[instruction_cores] = {
    {.tile = {26, 13, 7, 4, 2}, .edge = {110, 60, 40, 20, 5}, .vector = 0.8, .run = 2, .short_run = 1.6},
    {.tile = {24, 9, 5, 2.6, 1.5},
     .edge = {105, 85, 40, 20, 5},
     .vector = 0.7,
     .run = 2,
     .short_run = 2,
     .long_run = 8},
    {.tile = {29, 13, 6.8, 4.2, 1.2},
     .edge = {158, 129, 57, 20, 5},
     .vector = 0.54,
     .run = 0.77,
     .short_run = 1.6,
     .long_run = 0.6}};
constexpr KernelCycles avx2_cycles[instruction_cores] = {{.tile = {69, 25, 10, 4.4, 2},
                                                          .edge = {270, 140, 84, 30, 10},
                                                          .split_store = 0.33,
                                                          .lanes = {41, 17, 7, 3.4, 3},
                                                          .edge_lanes = {20.5, 8.5, 3.5, 2.5, 1.5},
                                                          .shuffle_step = 1.3,
                                                          .shuffle_store = 0.75,
                                                          .vector = 0.6,
                                                          .run = 2,
                                                          .short_run = 1.3},
                                                         {.tile = {54, 18, 8.2, 4.2, 2},
                                                          .edge = {297, 190, 94, 32, 10},
                                                          .lanes = {31, 11, 5.2, 2.9, 2.5},
                                                          .edge_lanes = {23, 10, 5.6, 2.9, 1.7},
                                                          .shuffle_step = 1.2,
                                                          .shuffle_store = 0.65,
                                                          .vector = 0.7,
                                                          .run = 1.6,
                                                          .short_run = 1.6,
                                                          .long_run = 4},
                                                         {.tile = {65, 28, 13, 6.2, 3.2},
                                                          .edge = {268, 164, 36, 32, 10},
                                                          .lanes = {43, 16, 6.5, 3.9, 2.4},
                                                          .edge_lanes = {24, 10, 6, 1.7, 1.7},
                                                          .shuffle_step = 1.5,
                                                          .shuffle_store = 0.91,
                                                          .vector = 0.72,
                                                          .run = 0.57,
                                                          .short_run = 1.6,
                                                          .long_run = 0.3}};
constexpr KernelCycles avx512_cycles[instruction_cores] = {{.tile = {258, 100, 36, 14, 6},
                                                            .edge = {240, 85, 33, 17, 12},
                                                            .edge_store = 1.5,
                                                            .split_store = 0.65,
                                                            .shuffle_step = 1.3,
                                                            .slow_step = 5.2,
                                                            .masked_step = 4.1,
                                                            .shuffle_row = 9.5,
                                                            .masked_row = 4,
                                                            .shuffle_store = 0.8,
                                                            .partial_store = 1.1,
                                                            .vector = 0.9,
                                                            .run = 2,
                                                            .short_run = 1.3},
                                                           {.tile = {285, 92, 36, 13.4, 6.5},
                                                            .edge = {340, 98, 33, 19, 12},
                                                            .shuffle_step = 1.4,
                                                            .slow_step = 6,
                                                            .masked_step = 6,
                                                            .masked_row = 14,
                                                            .shuffle_store = 0.7,
                                                            .partial_store = 0.7,
                                                            .vector = 1.5,
                                                            .run = 1.9,
                                                            .short_run = 1.9,
                                                            .long_run = 4},
                                                           {.tile = {223, 73, 35, 18, 11},
                                                            .edge = {288, 76, 32, 24, 22},
                                                            .edge_store = 0.57,
                                                            .split_store = 0.31,
                                                            .shuffle_step = 0.53,
                                                            .slow_step = 6.5,
                                                            .masked_step = 5.8,
                                                            .shuffle_row = 8,
                                                            .masked_row = 8.7,
                                                            .shuffle_store = 1,
                                                            .partial_store = 1.1,
                                                            .vector = 0.97,
                                                            .run = 1.6,
                                                            .short_run = 1.6,
                                                            .long_run = 0.09}};
#else
constexpr KernelCycles neon_cycles[instruction_cores] = {
    {.tile = {26, 13, 7, 4, 2}, .edge = {110, 60, 40, 20, 5}, .vector = 0.8, .run = 2.8, .short_run = 2.8},
    {.tile = {26, 13, 7, 4, 2}, .edge = {110, 60, 40, 20, 5}, .vector = 0.8, .run = 2.8, .short_run = 2.8},
    {.tile = {26, 13, 7, 4, 2}, .edge = {110, 60, 40, 20, 5}, .vector = 0.8, .run = 2.8, .short_run = 2.8}};
#endif

extern const Engine table[];  // rows name each other
const Engine table[] = {
    {"scalar", 0, always, &scalar_kernels, scalar_cycles, nullptr},
#if defined(__x86_64__)
    {"sse2", 16, always, &sse2_kernels, sse2_cycles, table},
    {"avx2", 32, has_avx2, &avx2_kernels, avx2_cycles, table + 1},
    {"avx512", 64, has_avx512, &avx512_kernels, avx512_cycles, table + 2},
#elif defined(__aarch64__)
    {"neon", 16, always, &neon_kernels, neon_cycles, table},
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

}  // namespace dlspec::optimized
