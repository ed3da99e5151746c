#include <dlspec/optimized/rearrange/plan/make_program.h>

#include <bit>

#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/plan/windows.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);
constexpr std::int64_t most_bytes = vector * static_cast<std::int64_t>(most_windows);
constexpr std::int64_t least_gain = 2;  // items for each move

std::int64_t step_of(const Step& axis, bool to) { return to ? axis.to : magnitude(axis.from); }

std::int64_t steps_in_vector(std::int64_t step) {
  step = magnitude(step);
  return step == 0 ? vector : step >= vector ? 1 : vector / step;
}

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

  bool make() {
    if (!find_windows(false) || !find_windows(true)) return false;
    twos_ = (program_.sources + 1) / 2;
    for (std::size_t d = 0; d < program_.destinations; ++d) {
      // Windows of axes that interleave may overlap; only the window that a byte is moved to shall store it.
      program_.destination[d].bytes = program_.destination[d].part = 0;
      for (std::size_t i = 0; i < twos_; ++i) draft_[d][i].mask = 0;
    }
    const bool found = geometry_.run == 1   ? find_moves<1>()
                       : geometry_.run == 2 ? find_moves<2>()
                       : geometry_.run == 4 ? find_moves<4>()
                       : geometry_.run == 8 ? find_moves<8>()
                                            : find_moves<0>();
    if (found) number_moves();
    return found;
  }

 private:
  [[nodiscard]] bool find_windows(bool to) {
    Window* const windows = to ? program_.destination : program_.source;
    std::size_t& count = to ? program_.destinations : program_.sources;
    if (!find_windows_of(geometry_, cell_.items, to, windows, count, &Window::bytes)) return false;
    if (to || part_ == 0) return true;
    Cell part = cell_;
    part.items[cell_.along] = part_;
    return find_windows_of(geometry_, part.items, to, windows, count, &Window::part);
  }

  // Of all items, row by row along the axis that has most of them in one window on either side.
  template <std::int64_t size>
  bool find_moves() {
    std::size_t row = highest_rank, outer[highest_rank], depth = 0;
    std::int64_t most = 1, to = 0, from = 0, index[highest_rank];
    for (std::size_t i = 0; i < geometry_.rank; ++i) {
      if (cell_.items[i] == 1) continue;
      const Step& axis = geometry_.axes[i];
      const std::int64_t together =
          lesser(cell_.items[i], lesser(steps_in_vector(axis.to), steps_in_vector(axis.from)));
      if (together > most) row = i, most = together;
    }
    // The widest steps come first: where there are too many moves, that shows soon.
    for (std::size_t i = geometry_.rank; i-- > 0;) {
      if (i == row || cell_.items[i] == 1) continue;
      index[depth] = 0;
      outer[depth++] = i;
    }
    bool in_part = part_ != 0;
    for (;;) {
      if (!add_row<size>(to, from, row, in_part)) return false;
      std::size_t place = 0;
      for (; place < depth; ++place) {
        const Step& axis = geometry_.axes[outer[place]];
        const bool carry = index[place] + 1 == cell_.items[outer[place]];
        const std::int64_t steps = carry ? -index[place] : 1;  // back in one step, as above
        index[place] += steps;
        to += steps * axis.to;
        from += steps * axis.from;
        if (outer[place] == cell_.along) in_part = index[place] < part_;
        if (!carry) break;
      }
      if (place == depth) return true;
    }
  }

  template <std::int64_t size>
  bool add_row(std::int64_t to, std::int64_t from, std::size_t row, bool in_part) {
    if (row == highest_rank) return add_items<size>(to, from, {1, 0, 0}, in_part);
    const Step& axis = geometry_.axes[row];
    const std::int64_t items = cell_.items[row];
    if (row != cell_.along || part_ == 0) return add_items<size>(to, from, {items, axis.to, axis.from}, in_part);
    return add_items<size>(to, from, {part_, axis.to, axis.from}, true) &&
           add_items<size>(to + part_ * axis.to, from + part_ * axis.from, {items - part_, axis.to, axis.from}, false);
  }

  // As many at a time as stay within one window on both sides.
  template <std::int64_t size>
  bool add_items(std::int64_t to, std::int64_t from, Step row, bool in_part) {
    for (;;) {
      const std::size_t d = again(program_.destination, program_.destinations, last_destination_, to);
      const std::size_t s = again(program_.source, program_.sources, last_source_, from);
      const std::int64_t first = to - program_.destination[d].offset, place = from - program_.source[s].offset;
      const std::int64_t last = vector - (size == 0 ? geometry_.run : size);
      std::int64_t now = 1;
      if (first > last || place > last) {
        if (!add_pieces(to, from, in_part)) return false;
      } else {
        now = add_move<size>(d, s, row, first, place, in_part);
        if (now == 0) return false;
      }
      row.extent -= now;
      if (row.extent == 0) return true;
      to += now * row.to;
      from += now * row.from;
    }
  }

  // An item that more than one window has.
  bool add_pieces(std::int64_t to, std::int64_t from, bool in_part) {
    for (std::int64_t done = 0, now = 0; done < geometry_.run; done += now) {
      const std::size_t d = window_of(program_.destination, program_.destinations, to + done);
      const std::size_t s = window_of(program_.source, program_.sources, from + done);
      const std::int64_t first = to + done - program_.destination[d].offset,
                         place = from + done - program_.source[s].offset;
      now = lesser(geometry_.run - done, vector - (first > place ? first : place));
      Draft* const draft = draft_of(d, s);
      if (draft == nullptr) return false;
      write_index<0>(*draft, first, place + base_of(s), now);
      mark(*draft, d, s, bits_of(first, now), bits_of(place, now), in_part);
    }
    return true;
  }

  // Items from window `s` to window `d`, the first of them at these places, as long as there are any and both windows
  // have them whole; returns how many these were, or 0.
  template <std::int64_t size>
  std::int64_t add_move(std::size_t d, std::size_t s, const Step& row, std::int64_t first, std::int64_t place,
                        bool in_part) {
    Draft* const draft = draft_of(d, s);
    if (draft == nullptr) return 0;
    const std::int64_t run = size == 0 ? geometry_.run : size, base = base_of(s);
    const auto last = static_cast<std::uint64_t>(vector - run);
    // Steps may be so long that only unsigned numbers hold what comes after the last.
    auto to = static_cast<std::uint64_t>(first), from = static_cast<std::uint64_t>(place);
    const auto step_to = static_cast<std::uint64_t>(row.to), step_from = static_cast<std::uint64_t>(row.from);
    const std::int64_t items = row.extent;  // not read again after every byte that is written
    std::int64_t done = 0;
    do {
      write_index<size>(*draft, static_cast<std::int64_t>(to), static_cast<std::int64_t>(from) + base, run);
      to += step_to;
      from += step_from;
    } while (++done < items && to <= last && from <= last);
    mark(*draft, d, s, comb(first, run, row.to, done), comb(place, run, row.from, done), in_part);
    return done;
  }

  // The bytes of `count` items of `run` bytes, all in one window, the first of them at `first`.
  static std::uint64_t comb(std::int64_t first, std::int64_t run, std::int64_t step, std::int64_t count) {
    std::uint64_t bytes = bits_of(0, run);
    if (count == 1) return bytes << first;
    if (step < 0) {
      first += (count - 1) * step;
      step = -step;
    }
    std::int64_t have = 1;
    for (; 2 * have <= count; have *= 2) bytes |= bytes << have * step;
    bytes |= bytes << (count - have) * step;
    return bytes << first;
  }

  struct Draft {
    std::uint64_t mask;
    std::uint8_t index[program_width];
  };

  static std::size_t again(Window* windows, std::size_t& count, std::size_t& last, std::int64_t offset) {
    if (static_cast<std::uint64_t>(offset - windows[last].offset) >= program_width)
      last = window_of(windows, count, offset);
    return last;
  }

  static std::int64_t base_of(std::size_t s) { return s % 2 == 0 ? 0 : vector; }

  // NULL when there are too many moves.
  Draft* draft_of(std::size_t d, std::size_t s) {
    Draft& draft = draft_[d][s / 2];
    return draft.mask == 0 && ++moves_ > most_moves ? nullptr : &draft;
  }

  // `run` bytes from `place` on go to those from `first` on. No place is above 127, so that they are added up in words.
  template <std::int64_t size>
  static void write_index(Draft& draft, std::int64_t first, std::int64_t place, std::int64_t run) {
    if constexpr (size != 0 && std::endian::native == std::endian::little) {
      const std::uint64_t word = 0x0706050403020100u + 0x0101010101010101u * static_cast<std::uint64_t>(place);
      __builtin_memcpy(draft.index + first, &word, size);
    } else {
      for (std::int64_t i = 0; i < run; ++i) draft.index[first + i] = static_cast<std::uint8_t>(place + i);
    }
  }

  void mark(Draft& draft, std::size_t d, std::size_t s, std::uint64_t to_bytes, std::uint64_t from_bytes,
            bool in_part) {
    draft.mask |= to_bytes;
    program_.destination[d].bytes |= to_bytes;
    // Windows of a source whose axes interleave may overlap: then this is not the one that has been marked.
    program_.source[s].bytes |= from_bytes;
    if (!in_part) return;
    program_.destination[d].part |= to_bytes;
    program_.source[s].part |= from_bytes;
  }

  // The moves of a destination window stand together. Regular programs have them all, in the order of the sources.
  void number_moves() {
    program_.regular = program_.sources <= most_regular && program_.destinations <= most_regular;
    std::size_t next = 0;
    for (std::size_t d = 0; d < program_.destinations; ++d) {
      program_.first_move[d] = next;
      for (std::size_t i = 0; i < twos_; ++i) {
        const Draft& draft = draft_[d][i];
        if (draft.mask == 0) {
          program_.regular = false;
          continue;
        }
        Move& move = program_.moves[next++];
        move.mask = draft.mask;
        move.sources = i;
        __builtin_memcpy(move.index, draft.index, program_width);
      }
    }
    program_.first_move[program_.destinations] = next;
  }

  const Geometry& geometry_;
  const Cell& cell_;
  Program& program_;
  std::int64_t part_;
  std::size_t twos_ = 0;  // pairs of source windows
  std::size_t moves_ = 0;
  std::size_t last_destination_ = 0, last_source_ = 0;
  Draft draft_[most_windows][most_windows / 2];  // by destination and pair of sources
};

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
  Maker maker(geometry, cell, program);
  if (!maker.make()) return false;
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
