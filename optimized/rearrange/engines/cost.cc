#include <dlspec/optimized/rearrange/engines/cost.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t line = 64;  // bytes
constexpr double lines_in_page = 64;

// An L3 takes its places from a hash of the whole address, so that rows a page apart do not compete there.
constexpr bool is_hashed[memory_levels] = {false, false, true};

constexpr double prefetched_rows = 64;
constexpr double lines_at_a_time = 16;
constexpr double tlb_pages[2] = {64, 1536};

// Cycles of a cache line read and written, of one that is also scattered, and of a change to another page, from L2, L3
// and memory; of a translation; and of a non-temporal store of a line. `hidden`: the part of the shorter one of reads
// and non-temporal stores that the longer one hides.
struct MemoryCycles {
  double read[memory_levels], written[memory_levels], scattered[memory_levels], pages[memory_levels];
  double translations[2];
  double streamed, lone;
  double crowded[2];
  double hidden;
};
// Fitted to 6,000 timings of 600 random layouts on Sapphire Rapids, to 5,000 of 650 on Zen 4, to 8,700 of 1,100 on Zen
// 5, and to 5,700 of 570 on Granite Rapids (bench/README.md).
constexpr MemoryCycles memory_cycles[core_count] = {{.read = {0.5, 6, 6},
                                                     .written = {1.6, 3.5, 6},
                                                     .scattered = {0.4, 18, 18},
                                                     .pages = {0.6, 20, 20},
                                                     .translations = {0.7, 20},
                                                     .streamed = 7,
                                                     .lone = 0,
                                                     .crowded = {0, 0.5},
                                                     .hidden = 0.75},
                                                    {.read = {0.5, 0.4, 8},
                                                     .written = {0.5, 0.5, 7.5},
                                                     .scattered = {0.3, 1.6, 9.5},
                                                     .pages = {1, 5, 12},
                                                     .translations = {0.4, 10},
                                                     .streamed = 5,
                                                     .lone = 8,
                                                     .crowded = {0.5, 0.9},
                                                     .hidden = 0.75},
                                                    {.read = {1.1, 0.38, 8.8},
                                                     .written = {0.68, 0.17, 2.6},
                                                     .scattered = {0.05, 0.04, 2.8},
                                                     .pages = {0.9, 17, 22},
                                                     .translations = {0.23, 1.3},
                                                     .streamed = 4.5,
                                                     .lone = 3.3,
                                                     .crowded = {0, 1},
                                                     .hidden = 0.76},
                                                    {.read = {0.35, 5.3, 5},
                                                     .written = {1.8, 2.4, 7},
                                                     .scattered = {0.2, 9, 18},
                                                     .pages = {0.3, 7, 17},
                                                     .translations = {0.4, 13},
                                                     .streamed = 7,
                                                     .lone = 0,
                                                     .crowded = {0, 0.65},
                                                     .hidden = 0.15}};

// Lines that a core waits for at a time, if it finds them among so many instructions that follow each other.
struct Window {
  double lines, instructions;
};
constexpr Window windows[core_count] = {{16, 512}, {24, 320}, {46, 253}, {16, 512}};

// How many times as long as the table says scattered source lines take that are so many instructions apart.
double slowdown(double instructions, Core core) {
  const Window& window = windows[static_cast<std::size_t>(core)];
  const double times = window.lines * instructions / window.instructions;
  return times > 1 ? times : 1;
}

}  // namespace

LoopCounter::LoopCounter(std::int64_t run) noexcept {
  const auto bytes = static_cast<double>(run);
  Touched touched{bytes, 1, bytes, 1 + bytes / page_size, 1, page_size, 0, 0, bytes > line ? 1.0 : 0, 1, 1};
  touched.count_lines();
  if (run > line) touched.count_sets(bytes / line, line);
  at_[0] = {1, touched, touched};
}

namespace {

// Of the lines of a page, those where `count` multiples of the stride are: few if it is almost a multiple of a page.
double places_of(double count, std::int64_t stride) {
  const std::int64_t in_page = stride % page_size, step = max(stride & -stride, line);
  const auto apart = static_cast<double>(min(in_page, page_size - in_page));
  double found = count;
  if (apart < line) found = 1 + (count - 1) * apart / line;
  const double most = step < page_size ? static_cast<double>(page_size) / static_cast<double>(step) : 1;
  return found < most ? found : most;
}

}  // namespace

void LoopCounter::Touched::widen(std::int64_t count, std::int64_t stride) {
  if (stride == 0) return;
  stride = magnitude(stride);
  const double n = static_cast<double>(count), span = (n - 1) * static_cast<double>(stride);
  reach += span;
  const double pages_before = pages, most_pages = 1 + reach / page_size;
  pages *= stride >= page_size ? n : 1 + span / page_size;
  if (pages > most_pages) pages = most_pages;
  count_sets(n, stride);
  if (static_cast<double>(stride) <= bytes + line) {
    bytes += span;
    if (rows == 0 && bytes > line) rows = pages_before;
    return count_lines();
  }
  chunks *= n;
  const std::int64_t step = stride & -stride;
  if (step < granule) granule = step;
  places *= places_of(n, stride);
  count_lines();
}

// A chunk begins anywhere in a line unless its strides are whole lines.
void LoopCounter::Touched::count_lines() {
  const double more = (bytes - 1) / line;
  const double each = 1 + (granule % line == 0 ? static_cast<double>(static_cast<std::int64_t>(more)) : more);
  const double all = places * each, most = 1 + reach / line;
  lines = chunks * each < most ? chunks * each : most;
  classes = all < lines_in_page ? all : lines_in_page;
}

// Where the next lines are: at so many multiples of the stride. Elements of one line count as one.
void LoopCounter::Touched::count_sets(double count, std::int64_t stride) {
  if (stride < line && near == 1) {
    count *= static_cast<double>(stride) / line;
    stride = line;
  }
  const double most = lines_at_a_time / near, n = count < most ? count : most;
  if (n <= 1) return;
  near *= n;
  sets *= places_of(n, stride);
}

double LoopCounter::Touched::waits(double fetched) const {
  return fetched > lines ? (fetched - lines) * (near / sets - 1) : 0;
}

bool LoopCounter::Touched::is_scattered() const { return rows == 0 || rows > prefetched_rows; }

void LoopCounter::add(std::int64_t count, std::int64_t to, std::int64_t from) noexcept {
  if (count <= 1) return;
  Depth next = at_[depth_ - 1];
  next.iterations *= static_cast<double>(count);
  next.to.widen(count, to);
  next.from.widen(count, from);
  at_[depth_++] = next;
}

namespace {

// The part of the lines that a cache misses which is a little too small for them: it keeps some.
double missed_part(double pressure) {
  const double part = 2.5 * (pressure - 1.08);
  return part < 0 ? 0 : part < 1 ? part : 1;
}

}  // namespace

Fetches LoopCounter::count(const Machine& machine, bool streaming) const noexcept {
  const std::int64_t sizes[memory_levels] = {machine.l1, machine.l2, machine.l3};
  const double all = at_[depth_ - 1].iterations;
  Fetches fetches;
  if (streaming) {
    const Touched& to = at_[depth_ - 1].to;
    fetches.streamed = to.lines;
    if (to.bytes <= line) fetches.lone = to.lines;
  }
  std::size_t first_to = 0, first_from = 0;  // loops of which the cache does not hold the lines
  for (std::size_t level = 0; level < memory_levels; ++level) {
    const double ways = static_cast<double>(sizes[level]) / page_size;
    // Adds the lines of one operand, which compete for their places with lines of the other one that are anywhere.
    const auto add_lines = [&](std::size_t& first, Touched Depth::* operand, Touched Depth::* other, double& fetched) {
      double kept = 1;  // the part that the cache keeps in all loops so far; it may lose that to the loops around
      for (std::size_t depth = first; depth < depth_ && kept > 0; ++depth) {
        const Depth& at = at_[depth];
        const Touched& touched = at.*operand;
        const double others = operand == &Depth::from && streaming ? 0 : (at.*other).lines / lines_in_page;
        const double places = is_hashed[level] ? lines_in_page : touched.classes;
        const double pressure = (touched.lines / places + others) / ways;
        if (pressure <= 1) {
          if (kept == 1) first = depth + 1;
          continue;
        }
        const double missed = kept * missed_part(pressure), times = all / at.iterations * missed;
        fetched += touched.lines * times;
        fetches.pages[level] += touched.pages * times;
        kept -= missed;
      }
      const double times = operand == &Depth::from && level > 0 ? slowdown(instructions_, machine.core) : 1;
      if ((at_[depth_ - 1].*operand).is_scattered()) fetches.scattered[level] += fetched * times;
    };
    add_lines(first_from, &Depth::from, &Depth::to, fetches.read[level]);
    if (!streaming) add_lines(first_to, &Depth::to, &Depth::from, fetches.written[level]);
  }
  const Depth& whole = at_[depth_ - 1];
  fetches.crowded[0] = whole.from.waits(fetches.read[0]);
  fetches.crowded[1] = whole.to.waits(fetches.written[0]);
  std::size_t depth = 0;
  for (std::size_t level = 0; level < 2; ++level) {
    while (depth < depth_ && at_[depth].to.pages + at_[depth].from.pages <= tlb_pages[level]) ++depth;
    if (depth == depth_) break;
    fetches.translations[level] = (at_[depth].to.pages + at_[depth].from.pages) * all / at_[depth].iterations;
  }
  return fetches;
}

double cycles_of(const Fetches& fetches, Core core) noexcept {
  const MemoryCycles& each = memory_cycles[static_cast<std::size_t>(core)];
  double cycles = 0;
  for (std::size_t level = 0; level < memory_levels; ++level) {
    cycles += each.read[level] * fetches.read[level] + each.written[level] * fetches.written[level] +
              each.scattered[level] * fetches.scattered[level] + each.pages[level] * fetches.pages[level];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    cycles += each.translations[i] * fetches.translations[i] + each.crowded[i] * fetches.crowded[i];
  }
  const double streamed = each.streamed * fetches.streamed + each.lone * fetches.lone;
  return cycles + streamed - each.hidden * (streamed > cycles ? cycles : streamed);
}

}  // namespace dlspec::optimized
