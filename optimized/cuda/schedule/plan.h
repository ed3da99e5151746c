// How a GPU executes a copy between two layouts: plain data that the host makes and a kernel takes by value.
//
// A block copies a box: some of the axes, whole or in parts. Its threads walk through the box twice, in the order of
// the source and in the order of the destination, or once if they need no shared memory. All sizes, strides and offsets
// are in bytes, all counts in pieces of `width` bytes. No header of CUDA and none of the standard library but
// <cstddef> and <cstdint>.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlspec::optimized::cuda {

// What the geometry of a copy is; decided from it alone.
enum class Class : std::uint8_t {
  empty,       // no elements
  contig,      // one run of bytes
  rows,        // runs of at least min_row bytes, or of several pieces, that are contiguous on both sides
  tile2d,      // the unit-stride axes of source and destination differ, and both have at least 32 elements
  tile_small,  // the same with a shorter one
  fill,        // the unit-stride axis of the destination repeats one element
  generic,     // anything else
};

// What executes it; depends on the alignment of the addresses, too. Each is one kernel template.
enum class Kernel : std::uint8_t {
  none,
  contig,         // 16 bytes per access at any alignment of either side
  direct,         // piece by piece in the order of the destination
  fill,           // one piece, repeated into 16 bytes
  register_tile,  // square tiles in the registers of each thread, 8 or 16 bytes per access
  shared_tile,    // through shared memory: read in the order of the source, written in that of the destination
};

inline constexpr int max_threads = 256;            // per block
inline constexpr int max_shared_bytes = 48 << 10;  // per block, without opting in to more
inline constexpr int max_grid_axes = 66;           // 64 axes, and the pieces of a run
inline constexpr int max_narrow_grid_axes = 12;    // of kernels with 32-bit indices
inline constexpr int max_walk_axes = 12;
inline constexpr int max_chain_axes = 10;

// Division of numbers below 2^31 by `divisor` >= 2: the high half of number * magic, shifted.
struct Divisor {
  std::uint32_t divisor;
  std::uint32_t magic;
  std::uint32_t shift;
};

// An axis that is not in the box: consecutive blocks step along it.
struct GridAxis {
  std::int64_t count;
  std::int64_t to;
  std::int64_t from;
  std::uint32_t magic;  // of `count`, if it is below 2^31
  std::uint32_t shift;
};

// An axis of which the box has `block` pieces or elements at a time; `blocks` == 0: the box has all of it.
//
// `skew`: the box begins up to so many pieces early, so that the threads can write whole words of rows with any
// alignment. `from_reversed`, `shared_reversed`: strides of an axis along which the source runs backwards; the box then
// begins at its other end.
struct Split {
  std::int64_t blocks;
  std::int64_t extent;
  std::int64_t to;    // from one block to the next
  std::int64_t from;  // the same
  std::int64_t from_reversed;
  std::int32_t shared_reversed;
  std::uint32_t block;
  std::uint32_t skew;
  std::uint32_t magic;  // of `blocks`, if it is below 2^31
  std::uint32_t shift;
};

// An axis of a walk. Coordinates 0 and 1 are positions along the two splits, 2 the one along an axis that is walked in
// steps, and 3 counts words of a chain; a position is the sum of its axes' indices times their weights.
struct WalkAxis {
  Divisor extent;
  std::int32_t shared;
  std::int64_t to;
  std::int64_t from;
  std::uint32_t weights[2];  // 16 bits for each coordinate, the lower ones first
};

// The pieces of a chain, a contiguous part of one side, in shared memory.
struct ChainAxis {
  Divisor extent;
  std::int32_t shared;
};

// A walk of a block's threads through its box. Each warp has `lanes` threads that take part, so that none of its
// accesses ends one row and begins another. They are numbered without gaps; number n begins at the place that n counts
// along the thread axes. Then all threads step together, along the step axes, line by line.
struct Walk {
  std::uint32_t threads;     // that take part
  std::uint32_t lines;       // of steps along the first step axis
  std::uint32_t line_steps;  // of each
  std::uint16_t thread_axes;
  std::uint16_t step_axes;  // these follow the thread axes
  std::uint16_t lanes;      // of each warp that take part
  std::uint16_t chain_axes;
  std::uint32_t checked;       // bit i: coordinate i must be inside its bounds
  std::uint32_t bound;         // of coordinate 2
  std::uint32_t chain_pieces;  // contiguous pieces that coordinate 3 counts by words
  std::uint32_t chain_inner;   // pieces per element of the split that ends the chain
  std::int32_t chain_split;    // that split, or -1
  std::int32_t word_shared;    // bytes in shared memory between the words of two steps of a line,
  std::uint32_t is_even;       // if all of them lie that far apart
  WalkAxis axes[max_walk_axes];
  ChainAxis chain[max_chain_axes];
};

// Immutable once made. Fixed size, no pointers: copy and keep it freely.
struct CudaPlan {
  Class layout_class;
  Kernel kernel;
  std::uint8_t width;           // bytes of a piece: a power of two up to 16
  std::uint8_t wide;            // 1: 64-bit indices, and blocks that loop where the grid is too small
  std::uint8_t to_alignment;    // bytes, up to 16, that the address of the first run must be a multiple of
  std::uint8_t from_alignment;  // the same for the source
  std::uint16_t threads;        // per block
  std::uint32_t shared_bytes;
  std::int64_t blocks;
  std::int64_t bytes;     // of all elements
  std::int64_t to_begin;  // bytes that a kernel may write, relative to the first run
  std::int64_t to_end;
  std::int64_t from_begin;  // bytes that it may read
  std::int64_t from_end;
  std::int64_t to_base;  // offset of the first block's box; a skewed one begins before the first run
  std::int64_t from_base;
  std::uint32_t shared_base;
  std::uint32_t shared_pad;  // bytes left out after every 128 bytes of shared memory
  std::uint32_t lanes_a;     // register tiles: log2 of a warp's threads along the destination's rows,
  std::uint32_t lanes_b;     // of the threads of a warp across them (lanes_a + lanes_b == 5),
  std::uint32_t warps_a;     // and log2 of the warps of a block along the rows
  std::uint32_t grid_axes;
  Split splits[2];
  Walk load;   // in the order of the source; unused by kernels without shared memory
  Walk store;  // in the order of the destination
  GridAxis grid[max_grid_axes];
};

// Kernel parameters of every GPU have at least this room. But a launch with more than 2 KB of them takes 0.2 us longer
// (H200): kernels with 32-bit indices get no more of a plan than they need.
inline constexpr int max_parameter_bytes = 4096;
inline constexpr std::size_t narrow_plan_bytes = offsetof(CudaPlan, grid) + max_narrow_grid_axes * sizeof(GridAxis);
static_assert(narrow_plan_bytes + 2 * sizeof(void*) <= 2048);
static_assert(sizeof(CudaPlan) + 2 * sizeof(void*) <= max_parameter_bytes);

}  // namespace dlspec::optimized::cuda
