#include <dlspec/optimized/rearrange/plan/moves.h>

#include <bit>

#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/plan/patches.h>
#include <dlspec/optimized/rearrange/plan/windows.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);

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
  // Two windows, and where the first of some items is in them.
  struct Pair {
    std::size_t d, s;
    std::int64_t first, place;
  };

  struct Draft {
    std::uint64_t mask;
    std::uint8_t index[program_width];
  };

  [[nodiscard]] bool find_windows(bool to) {
    Window* const windows = to ? program_.destination : program_.source;
    std::size_t& count = to ? program_.destinations : program_.sources;
    if (!find_windows_of(geometry_, cell_.items, to, windows, count, &Window::bytes)) return false;
    if (to || part_ == 0) return true;
    Cell part = cell_;
    part.items[cell_.along] = part_;
    return find_windows_of(geometry_, part.items, to, windows, count, &Window::part);
  }

  // Those that the smaller cell does not have first: they reach further.
  template <std::int64_t size>
  [[nodiscard]] bool find_moves() {
    for (std::size_t i = 0; i < geometry_.rank; ++i) items_[i] = cell_.items[i];
    if (part_ == 0) return find_moves_from<size>(0, 0);
    const Step& along = geometry_.axes[cell_.along];
    items_[cell_.along] = cell_.items[cell_.along] - part_;
    if (!find_moves_from<size>(part_ * along.to, part_ * along.from)) return false;
    items_[cell_.along] = part_;
    in_part_ = true;
    return find_moves_from<size>(0, 0);
  }

  // Of `items_`, the first of them here, patch by patch.
  template <std::int64_t size>
  [[nodiscard]] bool find_moves_from(std::int64_t to, std::int64_t from) {
    find_patches(geometry_, items_, patches_);
    std::size_t outer[highest_rank], depth = 0;
    std::int64_t index[highest_rank];
    // The widest steps of either side come first, and of an axis both ends: where there are too many moves, that shows
    // soon.
    for (std::size_t i = geometry_.rank; i-- > 0;) {
      if (i == patches_.row_axis || i == patches_.rows_axis || items_[i] == 1) continue;
      index[depth] = 0;
      outer[depth++] = i;
      if (depth > 2 && magnitude(geometry_.axes[i].from) > magnitude(geometry_.axes[outer[1]].from)) {
        outer[depth - 1] = outer[1];
        outer[1] = i;
      }
    }
    for (;;) {
      if (!add_patch<size>(to, from)) return false;
      std::size_t place = 0;
      for (; place < depth; ++place) {
        const Step& axis = geometry_.axes[outer[place]];
        const std::int64_t next = item_after(index[place], items_[outer[place]]);
        const bool carry = next == 0;
        const std::int64_t steps = next - index[place];
        index[place] = next;
        to += steps * axis.to;
        from += steps * axis.from;
        if (!carry) break;
      }
      if (place == depth) return true;
    }
  }

  // Of two or more items: after the first the last, then those between; 0 after all.
  static std::int64_t item_after(std::int64_t index, std::int64_t items) {
    if (index == 0) return items - 1;
    const std::int64_t next = index == items - 1 ? 1 : index + 1;
    return next == items - 1 ? 0 : next;
  }

  template <std::int64_t size>
  [[nodiscard]] bool add_patch(std::int64_t to, std::int64_t from) {
    const Pair pair = pair_of(to, from);
    if (fits(patches_.patch, pair)) return move_patch<size>(patches_.patch, pair);
    const Step& rows = patches_.patch.rows;
    for (std::int64_t i = 0; i < rows.extent; ++i, to += rows.to, from += rows.from) {
      if (!add_row<size>(to, from)) return false;
    }
    return true;
  }

  // As many at a time as stay within one window on both sides.
  template <std::int64_t size>
  [[nodiscard]] bool add_row(std::int64_t to, std::int64_t from) {
    Step row = patches_.row.row;
    for (;;) {
      const Pair pair = pair_of(to, from);
      if (row.extent == patches_.row.row.extent && fits(patches_.row, pair))
        return move_patch<size>(patches_.row, pair);
      const std::int64_t last = vector - (size == 0 ? geometry_.run : size);
      std::int64_t now = 1;
      if (pair.first > last || pair.place > last) {
        if (!add_pieces(to, from)) return false;
      } else {
        now = add_move<size>(pair, row);
        if (now == 0) return false;
      }
      row.extent -= now;
      if (row.extent == 0) return true;
      to += now * row.to;
      from += now * row.from;
    }
  }

  // An item that more than one window has.
  [[nodiscard]] bool add_pieces(std::int64_t to, std::int64_t from) {
    for (std::int64_t done = 0, now = 0; done < geometry_.run; done += now) {
      const std::size_t d = window_of(program_.destination, program_.destinations, to + done);
      const std::size_t s = window_of(program_.source, program_.sources, from + done);
      const std::int64_t first = to + done - program_.destination[d].offset,
                         place = from + done - program_.source[s].offset;
      now = lesser(geometry_.run - done, vector - (first > place ? first : place));
      Draft* const draft = draft_of(d, s);
      if (draft == nullptr) return false;
      write_index<0>(*draft, first, place + base_of(s), now);
      mark(*draft, d, s, bits_of(first, now), bits_of(place, now));
    }
    return true;
  }

  [[nodiscard]] Pair pair_of(std::int64_t to, std::int64_t from) {
    const std::size_t d = again(program_.destination, program_.destinations, last_destination_, to);
    const std::size_t s = again(program_.source, program_.sources, last_source_, from);
    return {d, s, to - program_.destination[d].offset, from - program_.source[s].offset};
  }

  [[nodiscard]] bool fits(const Patch& patch, const Pair& pair) const {
    const std::int64_t last = vector - geometry_.run;
    return patch.to.fits(pair.first, last) && patch.from.fits(pair.place, last);
  }

  // All of a patch, which both windows have.
  template <std::int64_t size>
  [[nodiscard]] bool move_patch(const Patch& patch, const Pair& pair) {
    Draft* const draft = draft_of(pair.d, pair.s);
    if (draft == nullptr) return false;
    const Step row = patch.row, rows = patch.rows;  // not read again after every byte that is written
    std::int64_t first = pair.first, place = pair.place + base_of(pair.s);
    for (std::int64_t j = 0; j < rows.extent; ++j, first += rows.to, place += rows.from) {
      std::int64_t to = first, from = place;
      for (std::int64_t i = 0; i < row.extent; ++i, to += row.to, from += row.from) {
        write_index<size>(*draft, to, from, geometry_.run);
      }
    }
    mark(*draft, pair.d, pair.s, patch.to.at(pair.first), patch.from.at(pair.place));
    return true;
  }

  // Items from window to window as long as there are any and both windows have them whole; returns how many these were,
  // or 0.
  template <std::int64_t size>
  std::int64_t add_move(const Pair& pair, const Step& row) {
    const auto [d, s, first, place] = pair;
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
    const std::int64_t to_low = first + lesser(0, (done - 1) * row.to),
                       from_low = place + lesser(0, (done - 1) * row.from);
    const std::uint64_t item = bits_of(0, run);
    mark(*draft, d, s, comb(item, row.to, done) << to_low, comb(item, row.from, done) << from_low);
    return done;
  }

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

  void mark(Draft& draft, std::size_t d, std::size_t s, std::uint64_t to_bytes, std::uint64_t from_bytes) {
    draft.mask |= to_bytes;
    program_.destination[d].bytes |= to_bytes;
    // Windows of a source whose axes interleave may overlap: then this is not the one that has been marked.
    program_.source[s].bytes |= from_bytes;
    if (!in_part_) return;
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
  std::int64_t items_[highest_rank];  // of each axis, of those whose moves are being found
  bool in_part_ = false;              // do they belong to the smaller cell, too?
  Patches patches_;                   // into which they fall
  std::size_t last_destination_ = 0, last_source_ = 0;
  Draft draft_[most_windows][most_windows / 2];  // by destination and pair of sources
};

}  // namespace

bool find_moves(const Geometry& geometry, const Cell& cell, Program& program) noexcept {
  return Maker(geometry, cell, program).make();
}

}  // namespace dlspec::optimized
