// The engines: one row for each vector instruction set, from plain C++ upwards. All produce the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <dlspec/optimized/rearrange/engines/machine.h>
#include <dlspec/optimized/rearrange/plan/plan.h>

namespace dlspec::optimized {

// Payload in bytes for which source, destination and a packing buffer stay in a core's L1 (16 KiB).
inline constexpr std::int64_t l1_payload = std::int64_t{1} << 14;

// Payload in bytes for which source and destination stay in a core's L2 (512 KiB).
inline constexpr std::int64_t l2_payload = std::int64_t{1} << 19;

// Concurrent streams of loads or non-temporal stores: memory serves several faster than one.
inline constexpr std::int64_t streams = 4;

// Block of a packed transpose of 3-, 6- and 12-byte elements: bytes of a destination row and of a source row.
inline constexpr std::int64_t triple_row = 384;
inline constexpr std::int64_t triple_strip = 126;

inline constexpr std::size_t triple_sizes = 3;   // triple elements, of 3, 6 and 12 bytes: index i has 3 << i
inline constexpr std::size_t element_sizes = 5;  // 1, 2, 4, 8 and 16 bytes: index i has 1 << i

// By the number of windows of an unrolled byte shuffle: sources, then destinations.
struct KernelsByWindows {
  Kernel of[max_unrolled_windows][max_unrolled_windows];
};

// The kernels of an engine, by method. Methods by element size have no kernel (NULL) for other sizes of a run. Any
// other NULL: the engine does not implement the method.
struct Kernels {
  Kernel copy = nullptr;
  Kernel copy_streaming = nullptr;
  Kernel runs = nullptr;
  Kernel runs_streaming = nullptr;
  Kernel byte_shuffle = nullptr;
  Kernel byte_shuffle_streaming = nullptr;     // unrolled, and every tile writes whole cache lines
  KernelsByWindows byte_shuffle_single = {};   // unrolled, and there is only one tile
  KernelsByWindows dword_shuffle_single = {};  // the same in units of 4 bytes
  Kernel lane_shuffle = nullptr;               // byte shuffles within 128-bit lanes, for engines without byte_shuffle
  Kernel lane_shuffle_single = nullptr;        // the same with only one tile
  Kernel fill[element_sizes] = {};
  Kernel fill_streaming[element_sizes] = {};
  Kernel transpose[element_sizes] = {};
  Kernel transpose_single[element_sizes] = {};     // a single tile
  Kernel transpose_streaming[element_sizes] = {};  // destination rows are cache-line aligned, as are tiles
  Kernel transpose_packed[element_sizes] = {};  // non-temporal stores for any row alignment, by way of a packing buffer
  Kernel transpose_triple[triple_sizes] = {};
  Kernel transpose_triple_packed[triple_sizes] = {};
  Kernel transpose_l1[element_sizes] = {};          // payload fits L1, and the sides are no multiples of a tile's
  Kernel transpose_indexed_l1[element_sizes] = {};  // the same for indexed transposes
  Kernel transpose_indexed[element_sizes] = {};
  Kernel strided[element_sizes] = {};
  Kernel strided_any = nullptr;
};

// Cycles of the kernels of an engine, with all data in L1: the instruction part of the cost model (cost.h).
struct KernelCycles {
  double tile[element_sizes] = {};        // a register tile of a transpose
  double edge[element_sizes] = {};        // an edge tile
  double edge_store = 0;                  // and each of its destination rows, by a masked store
  double split_store = 0;                 // of a tile's row, more than if no row crossed cache lines
  double lanes[element_sizes] = {};       // a vector of rows and a lane of columns, for kernels that transpose in lanes
  double edge_lanes[element_sizes] = {};  // half of that in an edge tile, where it is transposed in lanes
  double shuffle_step = 0;                // a permute, with its loads
  double slow_step = 0;                   // the same where the steps are not unrolled
  double masked_step = 0;                 // and where the loads are masked, at the ends of a row
  double shuffle_row = 0;                 // the call for a row, which loads the permutes
  double masked_row = 0;                  // the change to masked loads at the end of a row
  double shuffle_store = 0;
  double partial_store = 0;  // of a part of a vector, with a mask
  double vector = 0;         // of a run: 64 bytes where there are no vectors
  double run = 0;            // what a run takes beside its vectors
  double short_run = 0;      // and one of at most 32 bytes in all
  double long_run = 0;       // and one of more than four vectors, which takes a loop
};

struct Engine {
  const char* name;              // as DLSPEC_ISA spells it
  std::size_t width;             // vector width in bytes; 0: no vectors
  bool (*available)() noexcept;  // does this processor support it?
  const Kernels* kernels;
  const KernelCycles* cycles;  // one for each Core that instructions_of() names
  const Engine* narrower;      // the next engine whose kernels may be faster for a layout; NULL: none
};

// From scalar to the widest; the first is always available.
[[nodiscard]] std::span<const Engine> engines() noexcept;

// NULL if there is no such row.
[[nodiscard]] const Engine* find_engine(std::string_view name) noexcept;

// The last available engine up to the one named `highest`; the last available one of all if `highest` is empty or no
// engine's name.
[[nodiscard]] const Engine& best_engine(std::string_view highest) noexcept;

// best_engine() of the environment variable DLSPEC_ISA (settings.h).
[[nodiscard]] const Engine& default_engine() noexcept;

struct PlanOptions;  // rearrange.h

// Kernel selection: sets method, kernel, blocks and loops of a plan whose geometry is complete and has elements.
void schedule(Plan& plan, const Engine& engine, const PlanOptions& options) noexcept;

// Executes a plan of several blocks, or one that streams. Both addresses are those of the first run.
void run_blocked_plan(const Plan& plan, std::byte* to, const std::byte* from) noexcept;

// Executes any plan with elements.
inline void run_plan(const Plan& plan, std::byte* to, const std::byte* from) noexcept {
  if (!plan.is_single_block) return run_blocked_plan(plan, to, from);
  plan.kernel(plan, {to, from, plan.a.extent, plan.b.extent, 0, 0});
}

// Executes the blocks `begin` to `end` - 1. Follows no pointer itself: only the plan's kernel does.
void run_blocks(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t begin, std::int64_t end) noexcept;

}  // namespace dlspec::optimized
