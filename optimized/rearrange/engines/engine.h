// The engines: one row for each level of vector instructions, from plain C++ upwards. All give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <dlspec/optimized/rearrange/plan/plan.h>

namespace dlspec::optimized {

// Bytes that a core's first cache holds on both sides of a copy, with room for a stage.
inline constexpr std::int64_t nearest = std::int64_t{1} << 14;

// Bytes that a core's second cache holds on both sides of a copy.
inline constexpr std::int64_t near = std::int64_t{1} << 19;

// Places that memory is read from in turns, and written to past the caches: it answers several streams faster than one.
inline constexpr std::int64_t streams = 4;

// A block of a staged transpose of items of 3, 6 and 12 bytes: bytes of the destination's rows and of the source's.
inline constexpr std::int64_t odd_row = 384;
inline constexpr std::int64_t odd_strip = 126;

inline constexpr std::size_t odd_sizes = 3;   // 3, 6 and 12 bytes: item i has 3 << i
inline constexpr std::size_t item_sizes = 5;  // 1, 2, 4, 8 and 16 bytes: item i has 1 << i

// By a regular program's windows: sources first.
struct OnceByWindows {
  Kernel of[most_regular][most_regular];
};

// A kernel of each method. Methods by item size have no kernel (NULL) for other sizes of a run; a NULL in
// another place: the engine does not do this.
struct Kernels {
  Kernel copy;
  Kernel copy_streaming;
  Kernel runs;
  Kernel runs_streaming;
  Kernel program;
  Kernel program_streaming;     // of a regular one whose cells write whole lines
  OnceByWindows program_once;   // of a regular one with a single cell, and
  OnceByWindows program_words;  // of one that is counted in words
  Kernel shuffles;              // programs in lanes, for engines without `program`, and
  Kernel shuffles_once;         // those of a single cell
  Kernel fill[item_sizes];
  Kernel transpose[item_sizes];
  Kernel transpose_once[item_sizes];       // of a single tile
  Kernel transpose_streaming[item_sizes];  // rows of the destination begin with lines, as tiles do
  Kernel transpose_staged[item_sizes];     // streams wherever rows begin
  Kernel transpose_odd[odd_sizes];
  Kernel transpose_odd_staged[odd_sizes];
  Kernel transpose_near[item_sizes];  // in the nearest cache, of sides that are no multiples of a tile's, and
  Kernel weave_near[item_sizes];      // the same of woven ones
  Kernel weave[item_sizes];
  Kernel strided[item_sizes];
  Kernel strided_any;
};

struct Engine {
  const char* name;              // as DLSPEC_ISA spells it
  std::size_t width;             // bytes of a vector; 0: no vectors
  bool (*available)() noexcept;  // can this processor carry it out?
  const Kernels* kernels;
  const Kernels* near;  // whose transposes in the nearest cache it takes, of this or a narrower level; NULL: none
};

// From the plainest to the best; the first is always available.
[[nodiscard]] std::span<const Engine> engines() noexcept;

// NULL when there is no such row.
[[nodiscard]] const Engine* find_engine(std::string_view name) noexcept;

// The last available row that is not above the one that `most` names; the best one of all when `most` is
// empty or no name of a row.
[[nodiscard]] const Engine& best_engine(std::string_view most) noexcept;

// The same with the environment's DLSPEC_ISA, found out once.
[[nodiscard]] const Engine& default_engine() noexcept;

// Does the system say that the processor's third cache has 128 MiB or more? Found out once.
[[nodiscard]] bool has_large_third_cache() noexcept;

struct PlanOptions;  // rearrange.h

// Chooses method, blocks, loops and kernel for a plan whose geometry stands and has elements.
void schedule(Plan& plan, const Engine& engine, const PlanOptions& options) noexcept;

// Carries out a plan with elements that is not done at once. Both are the addresses of the first run.
void carry_out_large(const Plan& plan, std::byte* to, const std::byte* from) noexcept;

// The same of any plan with elements.
inline void carry_out(const Plan& plan, std::byte* to, const std::byte* from) noexcept {
  if (!plan.at_once) return carry_out_large(plan, to, from);
  plan.kernel(plan, {to, from, plan.a.extent, plan.b.extent, 0, 0});
}

// Of its blocks those from `begin` to `end` - 1 only. Follows no pointer itself: that is left to the plan's kernel.
void carry_out_blocks(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t begin,
                      std::int64_t end) noexcept;

}  // namespace dlspec::optimized
