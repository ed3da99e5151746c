// A geometry with its execution plan: a kernel handles two axes, a and b, block by block, and a loop nest iterates over
// the blocks. Made by make_plan() of rearrange.h. Fixed size, no pointers into itself: copy and keep it freely.
// Immutable once made: any number of threads may execute it at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/lane_shuffle.h>
#include <dlspec/optimized/rearrange/plan/tile_offsets.h>

namespace dlspec::optimized {

struct Plan;

// The arguments of a kernel: the addresses of the block, its extents along a and b, and the index along a at which it
// begins. `prefetch_offset` is the byte offset from this block's source to the next one's (0: unknown).
struct Block {
  std::byte* to;
  const std::byte* from;
  std::int64_t a;
  std::int64_t b;
  std::int64_t a_begin;
  std::int64_t prefetch_offset;
};
using Kernel = void (*)(const Plan& plan, const Block& block) noexcept;

// How a geometry is executed; every engine has a kernel for each method.
enum class Method : std::uint8_t {
  nothing,            // no elements
  copy,               // one run: a counts its bytes
  runs,               // b counts runs; a counts rows of runs that are copied concurrently
  fill,               // one run repeated: a counts contiguous repetitions in the destination
  transpose,          // a is the unit-stride axis of the destination, b that of the source (forwards or backwards)
  indexed_transpose,  // one tile per block; a and b count elements of the axes that are split
  line_shuffle,       // a byte shuffle whose tiles are whole cache lines; a counts tiles
  byte_shuffle,       // a counts tiles of the byte shuffle
  lane_shuffle,       // the same within 128-bit lanes
  strided,            // element by element along a and b
};
inline constexpr std::size_t method_count = 10;
[[nodiscard]] constexpr const char* method_name(Method method) {
  constexpr const char* names[method_count] = {
      "nothing",           "copy",         "runs",         "fill",         "transpose",
      "indexed_transpose", "line_shuffle", "byte_shuffle", "lane_shuffle", "strided"};
  return names[static_cast<std::size_t>(method)];
}

// A set of methods.
using Methods = std::uint32_t;
[[nodiscard]] constexpr Methods methods_of(Method method) { return Methods{1} << static_cast<unsigned>(method); }
inline constexpr Methods shuffles =
    methods_of(Method::line_shuffle) | methods_of(Method::byte_shuffle) | methods_of(Method::lane_shuffle);
inline constexpr Methods all_methods = (Methods{1} << method_count) - 1;

// The kernel axis whose blocks a loop steps over, if any.
enum class BlockedAxis : std::uint8_t { none, a, b };

struct Loop {
  std::int64_t count;
  std::int64_t to;
  std::int64_t from;
  BlockedAxis blocked;
};

// One loop for each axis; the kernel axes have one over their blocks, and TLB blocking splits two more.
inline constexpr std::size_t max_loops = max_rank + 4;

// What a method sets; loops follow from it.
struct Choice {
  Kernel kernel = nullptr;
  Method method = Method::nothing;
  bool streaming = false;       // uses non-temporal stores
  bool by_destination = false;  // loops in the order of the destination
  bool prefetching = false;     // prefetches what it writes, on a processor that otherwise waits for it
  bool reading_ahead = false;   // prefetches the source of single elements, of which each line is read once
  bool aligning = false;        // aligns the stores of runs, on a processor where those that cross lines are slow
  bool by_string = false;       // copies and fills long rows by string instructions, where they beat vectors
  bool repeating = false;       // copies contiguous copies of a broadcast run, many at a time
  bool edges_in_lanes = false;  // transposes the edge tiles of an indexed transpose in lanes
  bool diagonal = false;        // visits the tiles of a transpose block along both axes at once
  Axis a{1, 0, 0};              // extent: number of elements in all; to, from: byte strides
  Axis b{1, 0, 0};
  std::int64_t block_a = 1;  // extent of a block
  std::int64_t block_b = 1;
  std::uint64_t kernel_axes = 0;     // axes without a loop, but for the one over the blocks of a and b
  std::size_t peel_axis = max_rank;  // streaming: the axis that is peeled until the destination is cache-line aligned
  double cycles = 0;                 // of one execution on one thread, by the cost model (engines/cost.h)
  const char* row = "";              // the row of the engine table that has the kernel: the engine or a narrower one
};

struct Plan : Choice {
  Geometry geometry;
  bool is_single_block = false;  // there are elements, and one kernel call copies them all
  std::int64_t blocks = 0;       // number of blocks in all: the product of the loop counts
  std::size_t depth = 0;         // number of loops; loops[0] is the innermost
  int threads = 1;               // maximum number of threads
  const char* engine = "";       // name of its row in the engine table
  Loop loops[max_loops];
  ByteShuffle byte_shuffle;  // valid for Method::byte_shuffle and Method::line_shuffle
  LaneShuffle lane_shuffle;  // valid for Method::lane_shuffle
  TileOffsets tile_offsets;  // valid for Method::indexed_transpose

  // An empty copy.
  Plan() noexcept {
    geometry.bytes = 0;
    geometry.to_range = geometry.from_range = {};
    geometry.rank = 0;
  }
};

}  // namespace dlspec::optimized
