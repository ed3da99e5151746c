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
  byte_shuffle,       // a counts tiles of the byte shuffle
  strided,            // anything else: run by run along a and b
};

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

struct Plan {
  Geometry geometry;
  Kernel kernel = nullptr;
  bool is_single_block = false;  // there are elements, and one kernel call copies them all
  Method method = Method::nothing;
  bool streaming = false;  // uses non-temporal stores
  bool diagonal = false;   // visits the tiles of a transpose block along both axes at once
  Axis a{1, 0, 0};         // extent: number of elements in all; to, from: byte strides
  Axis b{1, 0, 0};
  std::int64_t block_a = 1;  // extent of a block
  std::int64_t block_b = 1;
  std::int64_t blocks = 0;           // number of blocks in all: the product of the loop counts
  std::size_t depth = 0;             // number of loops; loops[0] is the innermost
  std::size_t peel_axis = max_rank;  // streaming: the axis that is peeled until the destination is cache-line aligned
  int threads = 1;                   // maximum number of threads
  const char* engine = "";           // name of its row in the engine table
  Loop loops[max_loops];
  ByteShuffle byte_shuffle;  // valid for Method::byte_shuffle
  LaneShuffle lane_shuffle;  // the same for engines that shuffle within 128-bit lanes
  TileOffsets tile_offsets;  // valid for Method::indexed_transpose

  // An empty copy.
  Plan() noexcept {
    geometry.bytes = 0;
    geometry.to_range = geometry.from_range = {};
    geometry.rank = 0;
  }
};

}  // namespace dlspec::optimized
