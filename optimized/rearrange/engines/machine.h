// The parameters of a processor that kernel selection depends on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlspec::optimized {

// The processors whose costs were measured: how fast instructions are beside each other and beside the memory.
enum class Core : std::uint8_t { sapphire_rapids, zen4, zen5, granite_rapids };
inline constexpr std::size_t core_count = 4;
[[nodiscard]] constexpr const char* core_name(Core core) {
  constexpr const char* names[core_count] = {"sapphire-rapids", "zen4", "zen5", "granite-rapids"};
  return names[static_cast<std::size_t>(core)];
}

// The one whose instructions take the same cycles: Granite Rapids differs from Sapphire Rapids in its memory alone.
[[nodiscard]] constexpr Core instructions_of(Core core) {
  return core == Core::granite_rapids ? Core::sapphire_rapids : core;
}

// True where stores of contiguous lines wait for them unless they are prefetched for write (PREFETCHW). Zen 4 fetches
// such lines itself: there every prefetch takes a slot from the stores, and broadcasts take 1.2 to 2 times as long. So
// does Zen 5, where rows of 16-byte vectors take up to 1.9 times as long, and nothing is faster on average.
[[nodiscard]] constexpr bool prefetches_to_write(Core core) { return core != Core::zen4 && core != Core::zen5; }

// True where runs are copied by aligned stores: in L2, three overlapping vectors of 64 bytes take 8.2 ns for 160 bytes,
// and 4.7 where only the first and the last may cross a cache line. On Zen 5, runs of more than four vectors
// (`is_long`) take 0.4 to 0.9 of the time so, and shorter ones up to 1.2 times as long.
[[nodiscard]] constexpr bool aligns_runs(Core core, bool is_long) {
  return core == Core::zen5 ? is_long : core != Core::zen4;
}

// True where REP MOVSB and REP STOSQ beat vectors in L2 and L3, because they read no line that they overwrite whole: a
// line of a copy of 76 KiB takes 0.50 ns on Zen 5 so, and 0.65 by vectors; a line of a fill of 4 MiB 0.48 and 0.61, of
// 21 MiB 0.52 and 0.97.
[[nodiscard]] constexpr bool has_fast_strings(Core core) { return core == Core::zen5; }

// True where edge tiles of 64-byte vectors in L1 are faster lane by lane than with masked loads and stores: on Zen 5
// they take the same.
[[nodiscard]] constexpr bool edges_in_lanes(Core core) { return core != Core::zen4 && core != Core::zen5; }

struct Machine {
  // bytes of data that a core can keep in each cache
  std::int64_t l1 = 32 << 10;
  std::int64_t l2 = 1 << 20;
  std::int64_t l3 = 32 << 20;
  Core core = Core::sapphire_rapids;
};

// "l1=48K,l2=2M,l3=32M,core=zen4": what the text names of `machine`. False, and nothing changes, if it is anything
// else.
[[nodiscard]] bool read_machine(const char* text, Machine& machine) noexcept;

// What a core can count on of an L3 that other cores, and other machines on the same host, use as well: three eighths,
// and at most 8 MiB for each processor that this system has. Of 260 MiB that a machine of two processors saw, fills of
// 22 MiB found all their lines, and those of 40 MiB, at three times the time for each line, few. On Granite Rapids a
// fifth: of 480 MiB that a machine of two processors saw, fills of 64 MiB found all their lines, and those of 128 none.
// On Zen 5 a half: of 32 MiB, copies of 9 MiB found all their lines, and those of 14 MiB three of four.
[[nodiscard]] std::int64_t share_of_l3(std::int64_t size, std::int64_t processors, Core core) noexcept;

// Of an Intel processor with an L3 of this size, in bytes. Hypervisors hide the model, but not the caches: Emerald
// Rapids has up to 320 MiB of L3, and the large Granite Rapids 432 to 504.
[[nodiscard]] constexpr Core intel_core(std::int64_t l3) {
  return l3 >= std::int64_t{400} << 20 ? Core::granite_rapids : Core::sapphire_rapids;
}

// Of an AMD processor of this family, as CPUID has it.
[[nodiscard]] constexpr Core amd_core(unsigned family) { return family >= 0x1a ? Core::zen5 : Core::zen4; }

// What the system reports, but its share of the L3; the defaults above where it reports nothing.
[[nodiscard]] Machine detected_machine() noexcept;

}  // namespace dlspec::optimized
