#include <dlspec/optimized/rearrange/plan/make_program.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);
constexpr std::int64_t most_bytes = vector * static_cast<std::int64_t>(most_windows);
constexpr std::int64_t page = 4096;
constexpr std::int64_t least_gain = 2;  // items for each move

std::int64_t magnitude(std::int64_t step) { return step < 0 ? -step : step; }
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

class Maker {
 public:
  Maker(const Geometry& geometry, const Cell& cell, Program& program)
      : geometry_(geometry), cell_(cell), program_(program) {
    program_.sources = program_.destinations = 0;
    // With a single item along the cut axis there is no smaller cell.
    part_ = cell.along == highest_rank || cell.items[cell.along] == 1
                ? 0
                : geometry.axes[cell.along].extent % cell.items[cell.along];
  }

  bool make() { return visit<false>() && prepare() && visit<true>() && sort_moves(); }

 private:
  // Visits every item of the cell, each side's lowest first: of the source (moves = false) to find its windows, of
  // the destination to find its own and the moves.
  template <bool moves>
  bool visit() {
    std::size_t order[highest_rank], depth = 0;
    std::int64_t to = 0, from = 0, index[highest_rank];
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (cell_.items[i] == 1) continue;
      std::size_t place = depth++;
      const std::int64_t step = step_of(geometry_.axes[i], moves);
      for (; place > 0 && step_of(geometry_.axes[order[place - 1]], moves) > step; --place) order[place] = order[place - 1];
      order[place] = i;
    }
    std::int64_t outside = 0;  // digits by which the item is not in the smaller cell
    for (std::size_t place = 0; place < depth; ++place) {
      const Step& axis = geometry_.axes[order[place]];
      index[place] = !moves && axis.from < 0 ? cell_.items[order[place]] - 1 : 0;
      from += index[place] * axis.from;
      to += index[place] * axis.to;
      if (order[place] == cell_.along && index[place] >= part_) outside = 1;
    }
    for (;;) {
      // The innermost axis, if it is not the one that is cut, in a loop of its own.
      std::size_t place = 0;
      if (depth != 0 && order[0] != cell_.along) {
        place = 1;
        const Step& axis = geometry_.axes[order[0]];
        const std::int64_t direction = !moves && axis.from < 0 ? -1 : 1;
        const std::int64_t step_to = direction * axis.to, step_from = direction * axis.from;
        for (std::int64_t i = 0; i < cell_.items[order[0]]; ++i) {
          if (!add<moves>(to + i * step_to, from + i * step_from, outside == 0)) return false;
        }
      } else if (!add<moves>(to, from, outside == 0)) {
        return false;
      }
      for (; place < depth; ++place) {
        const Step& axis = geometry_.axes[order[place]];
        const std::int64_t items = cell_.items[order[place]];
        const std::int64_t direction = !moves && axis.from < 0 ? -1 : 1;
        const bool carry = index[place] + direction < 0 || index[place] + direction >= items;
        // Back to the first item in one step: there is no place behind the last that 64 bits would hold for sure.
        const std::int64_t steps = carry ? -direction * (items - 1) : direction;
        index[place] += steps;
        to += steps * axis.to;
        from += steps * axis.from;
        if (order[place] == cell_.along) outside = index[place] >= part_ ? 1 : 0;
        if (!carry) break;
      }
      if (place == depth) return true;
    }
  }

  template <bool moves>
  bool add(std::int64_t to, std::int64_t from, bool in_part) {
    return moves ? add_moves(to, from, in_part) : add_source(from, in_part);
  }

  // The window that has the byte at `offset`, made if there is none; most_windows when there are too many. The
  // newest are the likeliest.
  static std::size_t window_of(Window* windows, std::size_t& count, std::int64_t offset) {
    for (std::size_t i = count; i-- > 0;) {
      if (static_cast<std::uint64_t>(offset - windows[i].offset) < program_width) return i;
    }
    if (count == most_windows) return most_windows;
    windows[count] = {offset, 0, 0};
    return count++;
  }

  // How many of `size` bytes from `offset` on are in the window.
  static std::int64_t inside(const Window& window, std::int64_t offset, std::int64_t size) {
    const std::int64_t left = window.offset + vector - offset;
    return left < size ? left : size;
  }

  static void mark(Window& window, std::uint64_t bytes, bool in_part) {
    window.bytes |= bytes;
    if (in_part) window.part |= bytes;
  }

  static std::uint64_t bits(std::int64_t first, std::int64_t count) {
    return (~std::uint64_t{0} >> (vector - count)) << first;
  }

  bool add_source(std::int64_t from, bool in_part) {
    for (std::int64_t done = 0, now = 0; done < geometry_.run; done += now) {
      const std::size_t window = window_of(program_.source, program_.sources, from + done);
      if (window == most_windows) return false;
      Window& found = program_.source[window];
      now = inside(found, from + done, geometry_.run - done);
      mark(found, bits(from + done - found.offset, now), in_part);
    }
    return true;
  }

  bool prepare() {
    program_.regular = program_.sources <= most_regular;
    twos_ = (program_.sources + 1) / 2;
    return true;
  }

  bool add_moves(std::int64_t to, std::int64_t from, bool in_part) {
    for (std::int64_t done = 0, now = 0; done < geometry_.run; done += now) {
      const std::size_t before = program_.destinations;
      const std::size_t destination = window_of(program_.destination, program_.destinations, to + done);
      if (destination == most_windows) return false;
      for (std::size_t i = 0; program_.destinations != before && i < twos_; ++i) move_of_[destination][i] = most_moves;
      const std::size_t source = window_of(program_.source, program_.sources, from + done);
      const Window& window = program_.destination[destination];
      Window& origin = program_.source[source];
      now = inside(window, to + done, inside(origin, from + done, geometry_.run - done));
      std::size_t& move = move_of_[destination][source / 2];
      if (move == most_moves && !add_move(source / 2, move)) return false;
      const std::int64_t first = to + done - window.offset;
      mark(program_.destination[destination], bits(first, now), in_part);
      program_.moves[move].mask |= bits(first, now);
      // Windows of a source whose axes interleave may overlap: then this is not the one that has been marked.
      mark(origin, bits(from + done - origin.offset, now), in_part);
      const std::int64_t index = from + done - origin.offset + (source % 2 == 0 ? 0 : vector);
      for (std::int64_t i = 0; i < now; ++i) program_.moves[move].index[first + i] = static_cast<std::uint8_t>(index + i);
    }
    return true;
  }

  bool add_move(std::size_t sources, std::size_t& move) {
    if (moves_ == most_moves) return false;
    move = moves_++;
    program_.moves[move].mask = 0;
    program_.moves[move].sources = sources;
    return true;
  }

  // The moves of a destination window stand together: they were made in the order of its bytes, so that they do unless
  // windows interleave. Regular programs have them all, in the order of the sources.
  bool sort_moves() {
    std::size_t next = 0;
    for (std::size_t destination = 0; destination < program_.destinations; ++destination) {
      program_.first_move[destination] = next;
      std::size_t count = 0;
      for (std::size_t i = 0; i < twos_; ++i) count += move_of_[destination][i] != most_moves ? 1 : 0;
      for (std::size_t i = 0; i < twos_; ++i) {
        const std::size_t move = move_of_[destination][i];
        if (move != most_moves && (move < next || move >= next + count)) return false;
        if (move != next + i) program_.regular = false;
      }
      next += count;
    }
    program_.first_move[program_.destinations] = next;
    if (program_.destinations > most_regular) program_.regular = false;
    return true;
  }

  const Geometry& geometry_;
  const Cell& cell_;
  Program& program_;
  std::int64_t part_;
  std::size_t twos_ = 0;   // pairs of source windows
  std::size_t moves_ = 0;
  std::size_t move_of_[most_windows][most_windows / 2];
};

// Bytes from the first to the last that the window needs.
std::int64_t length(const Window& window) { return 64 - __builtin_clzll(window.bytes); }

// Where a whole vector may be read although the cell needs less: as long as the same window of another cell reaches as
// far, and no page without a byte of them lies between.
void find_ends(std::int64_t step, Program& program) {
  program.head = program.tail = 0;
  for (std::size_t i = 0; i < program.sources; ++i) {
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
  Maker maker(geometry, cell, program);
  if (!maker.make()) return false;
  const auto moves = static_cast<std::int64_t>(program.first_move[program.destinations]);
  if (bytes / geometry.run < least_gain * moves && geometry.bytes > most_bytes) return false;
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
  return true;
}

}  // namespace dlspec::optimized
