// A geometry with the decisions how to carry it out: two axes are done by a kernel, block by block, and loops
// lead from block to block. Made by plan() of rearrange.h; of fixed size, without pointers into itself, so that
// it may be copied and kept anywhere. Immutable once made: any number of threads may execute it at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/program.h>
#include <dlspec/optimized/rearrange/plan/shuffles.h>
#include <dlspec/optimized/rearrange/plan/weave.h>

namespace dlspec::optimized {

struct Plan;

// What a kernel is given: where its block begins on both sides, how much of the axes a and b it has, and how much of a
// lies before it. The source of the next block begins `ahead` bytes further (0: unknown), for prefetching only.
struct Block {
  std::byte* to;
  const std::byte* from;
  std::int64_t a;
  std::int64_t b;
  std::int64_t at;
  std::int64_t ahead;
};
using Kernel = void (*)(const Plan& plan, const Block& block) noexcept;

// How a geometry is carried out; the kernels of every engine are sorted by it.
enum class Method : std::uint8_t {
  nothing,    // no elements
  copy,       // one run: a counts its bytes
  runs,       // b counts runs, a rows of them that are copied at a time
  fill,       // one run repeated: a counts repetitions that lie next to each other in the destination
  transpose,  // a is next to itself in the destination, b in the source, forwards or backwards
  weave,      // a tile for each block: a and b count items of the axes that are cut
  program,    // a counts cells of the byte program
  strided,    // anything: run by run along a and b
};

// Which axis a loop steps along, if it is one of the two that are cut into blocks.
enum class Cut : std::uint8_t { none, a, b };

struct Loop {
  std::int64_t count;
  std::int64_t to;
  std::int64_t from;
  Cut cut;
};

// One for each axis; the two that are cut have one for their blocks, and two more may be cut as well.
inline constexpr std::size_t most_loops = highest_rank + 4;

struct Plan {
  Geometry geometry;
  Kernel kernel = nullptr;
  bool at_once = false;  // there are elements, and a single block of them that goes straight to the kernel
  Method method = Method::nothing;
  bool streaming = false;  // stores that go past the caches
  bool diagonal = false;   // from tile to tile of a transpose's block along both axes at a time
  Step a{1, 0, 0};         // extent: how many there are in all; to, from: from one to the next
  Step b{1, 0, 0};
  std::int64_t block_a = 1;  // how many of them make a block
  std::int64_t block_b = 1;
  std::int64_t blocks = 0;  // number of blocks in all: the product of the loops' counts
  std::size_t depth = 0;    // number of loops; innermost first
  std::size_t lines =
      highest_rank;         // streaming: the axis whose first items may be done apart, so that the rest fills lines
  int threads = 1;          // at most so many carry it out
  const char* engine = "";  // name of the row of the engine table
  Loop loops[most_loops];
  Program program;    // meaningful for Method::program
  Shuffles shuffles;  // the same, for engines that carry it out in lanes
  Weave weave;        // meaningful for Method::weave

  // Nothing to copy.
  Plan() noexcept {
    geometry.bytes = 0;
    geometry.to_range = geometry.from_range = {};
    geometry.rank = 0;
  }
};

}  // namespace dlspec::optimized
