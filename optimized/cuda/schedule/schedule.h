// Makes the plan of a copy on a GPU from its geometry: plain arithmetic on the host that needs neither a GPU nor CUDA.
// Nothing allocates, prints or throws; safe on any thread.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized::cuda {

// Runs of at least so many bytes, a DRAM sector, need no reordering.
inline constexpr std::int64_t min_row = 32;
// Shorter axes make a transpose small.
inline constexpr std::int64_t min_tile_extent = 32;
// Blocks that keep a large GPU busy: two for each of 132 multiprocessors.
inline constexpr std::int64_t min_blocks = 264;
// Layouts that span more bytes are refused, so that no offset of a plan overflows.
inline constexpr std::int64_t max_span = std::int64_t{1} << 60;
// Offsets are 32-bit if no layout spans more bytes, and no box more than that again.
inline constexpr std::int64_t max_narrow_span = std::int64_t{1} << 30;

// The alignment in bytes of the addresses of the first runs: powers of two; what exceeds 16 does not matter.
struct Alignment {
  std::uint32_t to = 16;
  std::uint32_t from = 16;
};

// The largest power of two up to 16 that divides the address.
[[nodiscard]] constexpr std::uint32_t alignment_of(std::uint64_t address) {
  return static_cast<std::uint32_t>((address | 16) & (0 - (address | 16)));
}

// Decided from sizes and strides alone.
[[nodiscard]] Class classify(const Geometry& geometry) noexcept;

// Lower-case names for messages and tables, such as "tile2d". Static storage.
[[nodiscard]] const char* name_of(Class layout_class) noexcept;
[[nodiscard]] const char* name_of(Kernel kernel) noexcept;

// Which kernel walks through boxes: the cheaper one, or that with shared memory, so that tests reach it anywhere.
enum class Preference { cheaper, shared_tile };

// Plans the copy of a complete geometry between addresses that are aligned so. The plan also fits addresses with more
// alignment, and all that meet plan.to_alignment and plan.from_alignment. Status::size_overflow above max_span.
[[nodiscard]] Status schedule(const Geometry& geometry, Alignment alignment, CudaPlan& plan,
                              Preference preference = Preference::cheaper) noexcept;

// May a GPU launch this plan? True for every plan of schedule(): the launcher refuses all others.
[[nodiscard]] bool is_launchable(const CudaPlan& plan) noexcept;

// Number of blocks of the launch: those of the plan, or as many as a grid may have.
[[nodiscard]] std::uint32_t grid_size(const CudaPlan& plan) noexcept;

}  // namespace dlspec::optimized::cuda
