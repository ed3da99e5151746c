// The cost model of kernel selection: cycles of one execution of a plan, counted from its loops. Two parts are added:
// the instructions, which each method counts, and the cache lines and pages that the loops fetch, counted here.
//
// A loop nest keeps what it touched in a cache up to the first loop whose lines no longer fit: whatever that loop and
// those inside touch is fetched again in every iteration of the loops around it. Lines whose addresses have the same
// place in a page compete for the same part of a cache, so that rows a multiple of a page apart fit less.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/engines/machine.h>
#include <dlspec/optimized/rearrange/plan/plan.h>

namespace dlspec::optimized {

// L2, L3, memory: what each is asked for is what the caches before it do not hold.
inline constexpr std::size_t memory_levels = 3;

struct Fetches {
  double read[memory_levels] = {};       // cache lines of the source
  double written[memory_levels] = {};    // cache lines of the destination
  double scattered[memory_levels] = {};  // of these lines: in more rows at a time than the prefetcher follows
  double crowded[2] = {};                // times that lines read and written again wait for others of their set of L1
  double pages[memory_levels] = {};      // changes to another page within these
  double translations[2] = {};           // of pages, from the L2 TLB and from the page table
  double streamed = 0;                   // cache lines of the destination written by non-temporal stores
  double lone = 0;                       // of these lines: without a neighbour
};

// Loops are added innermost first.
class LoopCounter {
 public:
  // Each iteration of the innermost loop touches `run` contiguous bytes.
  explicit LoopCounter(std::int64_t run) noexcept;
  void add(std::int64_t count, std::int64_t to, std::int64_t from) noexcept;
  // The loops so far are one step, which touches each of its lines once: a tile in registers.
  void join() noexcept {
    at_[0] = {1, at_[depth_ - 1].to, at_[depth_ - 1].from};
    depth_ = 1;
  }
  // Instructions from one source line to the next in the innermost loop; 0 (the default): several lines at a time.
  void set_instructions(double between_lines) noexcept { instructions_ = between_lines; }
  // The fetches of all loops so far. `streaming`: the destination does not occupy the caches.
  [[nodiscard]] Fetches count(const Machine& machine, bool streaming) const noexcept;

 private:
  // Contiguous chunks, or with gaps shorter than a line, and how many of these.
  struct Touched {
    double bytes;  // from the first byte of a chunk to its last
    double chunks;
    double reach;           // from the first byte of all chunks to the last
    double pages;           // of all
    double places;          // of the 64 lines of a page where chunks begin
    std::int64_t granule;   // divides all strides between chunks
    double lines, classes;  // of all chunks; classes: places of all lines
    double rows;            // pages that are visited before a chunk goes on to its next line; 0: no chunk does
    double near, sets;      // successive lines, up to the number that a core fetches at a time, and their sets of L1
    void widen(std::int64_t count, std::int64_t stride);
    void count_lines();
    void count_sets(double count, std::int64_t stride);
    [[nodiscard]] bool is_scattered() const;           // in more rows at a time than the prefetcher follows
    [[nodiscard]] double waits(double fetched) const;  // of lines fetched again
  };
  struct Depth {
    double iterations;
    Touched to, from;
  };

  double instructions_ = 0;
  std::size_t depth_ = 1;
  Depth at_[2 * max_rank + 8];
};

// Cycles of the fetches, on one thread.
[[nodiscard]] double cycles_of(const Fetches& fetches, Core core) noexcept;

}  // namespace dlspec::optimized
