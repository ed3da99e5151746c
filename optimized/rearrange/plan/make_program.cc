#include <dlspec/optimized/rearrange/plan/make_program.h>

#include <dlspec/optimized/rearrange/plan/moves.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);
constexpr std::int64_t most_bytes = vector * static_cast<std::int64_t>(most_windows);
constexpr std::int64_t least_gain = 2;  // items for each move

std::int64_t step_of(const Step& axis, bool to) { return to ? axis.to : magnitude(axis.from); }

// The axes of a side from the innermost outwards, as long as they lie next to each other, until they fill a
// vector. Each takes as many items into the cell as are needed. Returns which axes these are.
std::uint64_t fill_vector(const Geometry& geometry, bool to, Cell& cell) {
  std::int64_t covered = geometry.run;
  std::uint64_t used = 0;
  static_assert(highest_rank <= 64);
  for (;;) {
    std::size_t next = highest_rank;
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      const std::int64_t step = step_of(geometry.axes[i], to);
      if ((used >> i & 1) != 0 || step < covered || step >= vector) continue;
      if (next == highest_rank || step < step_of(geometry.axes[next], to)) next = i;
    }
    if (next == highest_rank) return used;
    const Step& axis = geometry.axes[next];
    const std::int64_t step = step_of(axis, to), fit = vector / step;
    // Gaps are taken into a vector only where nothing fills it otherwise.
    if (step != covered && used != 0) return used;
    const std::int64_t taken = fit < axis.extent ? fit : axis.extent;
    if (taken > cell.items[next]) cell.items[next] = taken;
    if (taken > 1) used |= std::uint64_t{1} << next;
    if (taken < axis.extent) return used;
    covered = step * axis.extent;
  }
}

// The only axis of which the cell does not have all, if it is the only one.
bool find_along(const Geometry& geometry, Cell& cell) {
  cell.along = highest_rank;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (cell.items[i] == 1 || cell.items[i] == geometry.axes[i].extent) continue;
    if (cell.along != highest_rank) return false;
    cell.along = i;
  }
  if (cell.along != highest_rank) return true;
  // The cell has all or one of each: it is repeated along the closest of the others.
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (cell.items[i] == geometry.axes[i].extent) continue;
    if (cell.along == highest_rank) cell.along = i;
  }
  return true;
}

// Bytes from the first to the last that the window needs.
std::int64_t length(const Window& window) { return 64 - __builtin_clzll(window.bytes); }

// Where a whole vector may be read although the cell needs less: as long as the same window of another cell reaches as
// far, and no page without a byte of them lies between.
void find_ends(std::int64_t step, Program& program) {
  program.head = program.tail = 0;
  for (std::size_t i = 0; i < program.sources; ++i) {
    if (program.source[i].bytes == 0) continue;  // it is where its neighbour is
    const std::int64_t missing = vector - length(program.source[i]);
    if (missing == 0) continue;
    const std::int64_t apart = magnitude(step);
    std::int64_t unsafe = apart == 0 || apart >= page ? program.whole : (missing + apart - 1) / apart;
    if (unsafe > program.whole) unsafe = program.whole;
    std::int64_t& end = step < 0 ? program.head : program.tail;
    if (unsafe > end) end = unsafe;
  }
}

}  // namespace

bool make_program(const Geometry& geometry, Cell& cell, Program& program) noexcept {
  if (geometry.rank == 0 || geometry.run >= vector) return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) cell.items[i] = 1;
  const std::uint64_t inner_to = fill_vector(geometry, true, cell), inner_from = fill_vector(geometry, false, cell);
  if (!find_along(geometry, cell)) return false;
  std::int64_t bytes = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    bytes *= cell.items[i];
    if (bytes > most_bytes) return false;
  }
  // Of a transpose every vector goes into every other.
  const std::int64_t vectors = bytes / vector;
  if ((inner_to & inner_from) == 0 && vectors * vectors / 2 > static_cast<std::int64_t>(most_moves)) return false;
  if (!find_moves(geometry, cell, program)) return false;
  const auto moves = static_cast<std::int64_t>(program.first_move[program.destinations]);
  if (bytes / geometry.run < least_gain * moves && geometry.bytes > most_bytes) return false;
  program.lines = false;
  count_cells(geometry, cell, program);
  return true;
}

void count_cells(const Geometry& geometry, const Cell& cell, Program& program) noexcept {
  program.whole = 1;
  program.has_part = false;
  std::int64_t step = 0;
  if (cell.along != highest_rank) {
    const Step& axis = geometry.axes[cell.along];
    program.whole = axis.extent / cell.items[cell.along];
    program.has_part = axis.extent % cell.items[cell.along] != 0;
    step = cell.items[cell.along] * axis.from;
  }
  find_ends(step, program);
}

}  // namespace dlspec::optimized
