#include <dlspec/optimized/rearrange/plan/shuffle_steps.h>

#include <bit>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/element_groups.h>
#include <dlspec/optimized/rearrange/plan/windows.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(window_width);

class StepFinder {
 public:
  StepFinder(const Geometry& geometry, const ShuffleTile& tile, ByteShuffle& shuffle)
      : geometry_(geometry), tile_(tile), shuffle_(shuffle) {
    shuffle_.sources = shuffle_.destinations = 0;
    // A tile with a single element along the tiled axis has no tail.
    tail_ = tile.axis == max_rank || tile.extents[tile.axis] == 1
                ? 0
                : geometry.axes[tile.axis].extent % tile.extents[tile.axis];
  }

  bool make() {
    if (!find_windows(false) || !find_windows(true)) return false;
    pairs_ = (shuffle_.sources + 1) / 2;
    for (std::size_t d = 0; d < shuffle_.destinations; ++d) {
      // The windows of interleaved axes may overlap: only the window that receives a byte may store it.
      shuffle_.destination[d].mask = shuffle_.destination[d].tail_mask = 0;
      for (std::size_t i = 0; i < pairs_; ++i) drafts_[d][i].mask = 0;
    }
    const bool found = geometry_.run == 1   ? find_shuffle_steps<1>()
                       : geometry_.run == 2 ? find_shuffle_steps<2>()
                       : geometry_.run == 4 ? find_shuffle_steps<4>()
                       : geometry_.run == 8 ? find_shuffle_steps<8>()
                                            : find_shuffle_steps<0>();
    if (found) number_steps();
    return found;
  }

 private:
  // A pair of windows, and the offsets of a group's first element in them.
  struct WindowPair {
    std::size_t d, s;
    std::int64_t first, offset;
  };

  struct Draft {
    std::uint64_t mask;
    std::uint8_t index[window_width];
  };

  [[nodiscard]] bool find_windows(bool to) {
    Window* const windows = to ? shuffle_.destination : shuffle_.source;
    std::size_t& count = to ? shuffle_.destinations : shuffle_.sources;
    if (!find_windows_of(geometry_, tile_.extents, to, windows, count, &Window::mask)) return false;
    if (to || tail_ == 0) return true;
    ShuffleTile part = tile_;
    part.extents[tile_.axis] = tail_;
    return find_windows_of(geometry_, part.extents, to, windows, count, &Window::tail_mask);
  }

  // Elements outside the tail tile first: their windows extend further.
  template <std::int64_t size>
  [[nodiscard]] bool find_shuffle_steps() {
    for (std::size_t i = 0; i < geometry_.rank; ++i) extents_[i] = tile_.extents[i];
    if (tail_ == 0) return find_steps_from<size>(0, 0);
    const Axis& axis = geometry_.axes[tile_.axis];
    extents_[tile_.axis] = tile_.extents[tile_.axis] - tail_;
    if (!find_steps_from<size>(tail_ * axis.to, tail_ * axis.from)) return false;
    extents_[tile_.axis] = tail_;
    in_tail_ = true;
    return find_steps_from<size>(0, 0);
  }

  // Adds `extents_` elements from these offsets on, group by group.
  template <std::int64_t size>
  [[nodiscard]] bool find_steps_from(std::int64_t to, std::int64_t from) {
    find_element_groups(geometry_, extents_, groups_);
    std::size_t outer[max_rank], depth = 0;
    std::int64_t index[max_rank];
    // Outermost strides of either operand first, and both ends of an axis first: too many steps then show early.
    for (std::size_t i = geometry_.rank; i-- > 0;) {
      if (i == groups_.row_axis || i == groups_.rows_axis || extents_[i] == 1) continue;
      index[depth] = 0;
      outer[depth++] = i;
      if (depth > 2 && magnitude(geometry_.axes[i].from) > magnitude(geometry_.axes[outer[1]].from)) {
        outer[depth - 1] = outer[1];
        outer[1] = i;
      }
    }
    for (;;) {
      if (!add_group<size>(to, from)) return false;
      std::size_t offset = 0;
      for (; offset < depth; ++offset) {
        const Axis& axis = geometry_.axes[outer[offset]];
        const std::int64_t next = next_index(index[offset], extents_[outer[offset]]);
        const bool carry = next == 0;
        const std::int64_t count = next - index[offset];
        index[offset] = next;
        to += count * axis.to;
        from += count * axis.from;
        if (!carry) break;
      }
      if (offset == depth) return true;
    }
  }

  // The order first, last, then those between; 0 after all. For extents of at least 2.
  static std::int64_t next_index(std::int64_t index, std::int64_t extent) {
    if (index == 0) return extent - 1;
    const std::int64_t next = index == extent - 1 ? 1 : index + 1;
    return next == extent - 1 ? 0 : next;
  }

  template <std::int64_t size>
  [[nodiscard]] bool add_group(std::int64_t to, std::int64_t from) {
    const WindowPair pair = pair_of(to, from);
    if (fits(groups_.group, pair)) return shuffle_group<size>(groups_.group, pair);
    const Axis& rows = groups_.group.rows;
    for (std::int64_t i = 0; i < rows.extent; ++i, to += rows.to, from += rows.from) {
      if (!add_row<size>(to, from)) return false;
    }
    return true;
  }

  // As many elements at a time as stay within one window of each operand.
  template <std::int64_t size>
  [[nodiscard]] bool add_row(std::int64_t to, std::int64_t from) {
    Axis row = groups_.row.row;
    for (;;) {
      const WindowPair pair = pair_of(to, from);
      if (row.extent == groups_.row.row.extent && fits(groups_.row, pair))
        return shuffle_group<size>(groups_.row, pair);
      const std::int64_t last = vector - (size == 0 ? geometry_.run : size);
      std::int64_t now = 1;
      if (pair.first > last || pair.offset > last) {
        if (!split_element(to, from)) return false;
      } else {
        now = shuffle_row<size>(pair, row);
        if (now == 0) return false;
      }
      row.extent -= now;
      if (row.extent == 0) return true;
      to += now * row.to;
      from += now * row.from;
    }
  }

  // An element that crosses windows.
  [[nodiscard]] bool split_element(std::int64_t to, std::int64_t from) {
    for (std::int64_t done = 0, now = 0; done < geometry_.run; done += now) {
      const std::size_t d = window_of(shuffle_.destination, shuffle_.destinations, to + done);
      const std::size_t s = window_of(shuffle_.source, shuffle_.sources, from + done);
      const std::int64_t first = to + done - shuffle_.destination[d].offset,
                         offset = from + done - shuffle_.source[s].offset;
      now = min(geometry_.run - done, vector - (first > offset ? first : offset));
      Draft* const draft = find_draft(d, s);
      if (draft == nullptr) return false;
      write_index<0>(*draft, first, offset + base_of(s), now);
      mark(*draft, d, s, bits_of(first, now), bits_of(offset, now));
    }
    return true;
  }

  [[nodiscard]] WindowPair pair_of(std::int64_t to, std::int64_t from) {
    const std::size_t d = reuse_window(shuffle_.destination, shuffle_.destinations, last_destination_, to);
    const std::size_t s = reuse_window(shuffle_.source, shuffle_.sources, last_source_, from);
    return {d, s, to - shuffle_.destination[d].offset, from - shuffle_.source[s].offset};
  }

  [[nodiscard]] bool fits(const ElementGroup& group, const WindowPair& pair) const {
    const std::int64_t last = vector - geometry_.run;
    return group.to.fits(pair.first, last) && group.from.fits(pair.offset, last);
  }

  // A whole group, within one window of each operand.
  template <std::int64_t size>
  [[nodiscard]] bool shuffle_group(const ElementGroup& group, const WindowPair& pair) {
    Draft* const draft = find_draft(pair.d, pair.s);
    if (draft == nullptr) return false;
    const Axis row = group.row, rows = group.rows;  // a local copy: the stores could alias the member
    std::int64_t first = pair.first, offset = pair.offset + base_of(pair.s);
    for (std::int64_t j = 0; j < rows.extent; ++j, first += rows.to, offset += rows.from) {
      std::int64_t to = first, from = offset;
      for (std::int64_t i = 0; i < row.extent; ++i, to += row.to, from += row.from) {
        write_index<size>(*draft, to, from, geometry_.run);
      }
    }
    mark(*draft, pair.d, pair.s, group.to.mask_at(pair.first), group.from.mask_at(pair.offset));
    return true;
  }

  // Adds elements while both windows hold them whole; returns their number, or 0 if there are too many steps.
  template <std::int64_t size>
  std::int64_t shuffle_row(const WindowPair& pair, const Axis& row) {
    const auto [d, s, first, offset] = pair;
    Draft* const draft = find_draft(d, s);
    if (draft == nullptr) return 0;
    const std::int64_t run = size == 0 ? geometry_.run : size, base = base_of(s);
    const auto last = static_cast<std::uint64_t>(vector - run);
    // Unsigned, because the offset after the last element may overflow int64.
    auto to = static_cast<std::uint64_t>(first), from = static_cast<std::uint64_t>(offset);
    const auto to_stride = static_cast<std::uint64_t>(row.to), from_stride = static_cast<std::uint64_t>(row.from);
    const std::int64_t extent = row.extent;  // a local copy: the stores could alias the member
    std::int64_t done = 0;
    do {
      write_index<size>(*draft, static_cast<std::int64_t>(to), static_cast<std::int64_t>(from) + base, run);
      to += to_stride;
      from += from_stride;
    } while (++done < extent && to <= last && from <= last);
    const std::int64_t to_low = first + min(0, (done - 1) * row.to), from_low = offset + min(0, (done - 1) * row.from);
    const std::uint64_t element = bits_of(0, run);
    mark(*draft, d, s, repeat_mask(element, row.to, done) << to_low, repeat_mask(element, row.from, done) << from_low);
    return done;
  }

  static std::size_t reuse_window(Window* windows, std::size_t& count, std::size_t& last, std::int64_t offset) {
    if (static_cast<std::uint64_t>(offset - windows[last].offset) >= window_width)
      last = window_of(windows, count, offset);
    return last;
  }

  static std::int64_t base_of(std::size_t s) { return s % 2 == 0 ? 0 : vector; }

  // NULL if there are too many steps.
  Draft* find_draft(std::size_t d, std::size_t s) {
    Draft& draft = drafts_[d][s / 2];
    return draft.mask == 0 && ++steps_ > max_shuffle_steps ? nullptr : &draft;
  }

  // `run` index bytes from `first` on select the source bytes from `offset` on. Offsets are at most 127, so that eight
  // of them can be added in one 64-bit word.
  template <std::int64_t size>
  static void write_index(Draft& draft, std::int64_t first, std::int64_t offset, std::int64_t run) {
    if constexpr (size != 0 && std::endian::native == std::endian::little) {
      const std::uint64_t word = 0x0706050403020100u + 0x0101010101010101u * static_cast<std::uint64_t>(offset);
      __builtin_memcpy(draft.index + first, &word, size);
    } else {
      for (std::int64_t i = 0; i < run; ++i) draft.index[first + i] = static_cast<std::uint8_t>(offset + i);
    }
  }

  void mark(Draft& draft, std::size_t d, std::size_t s, std::uint64_t to_bytes, std::uint64_t from_bytes) {
    draft.mask |= to_bytes;
    shuffle_.destination[d].mask |= to_bytes;
    // Source windows of interleaved axes may overlap: the byte may already be marked in another window.
    shuffle_.source[s].mask |= from_bytes;
    if (!in_tail_) return;
    shuffle_.destination[d].tail_mask |= to_bytes;
    shuffle_.source[s].tail_mask |= from_bytes;
  }

  // Stores the steps of each destination window together, in the order of the source pairs. Unrolled kernels need a
  // step for each pair.
  void number_steps() {
    shuffle_.is_unrolled = shuffle_.sources <= max_unrolled_windows && shuffle_.destinations <= max_unrolled_windows;
    std::size_t next = 0;
    for (std::size_t d = 0; d < shuffle_.destinations; ++d) {
      shuffle_.first_step[d] = next;
      for (std::size_t i = 0; i < pairs_; ++i) {
        const Draft& draft = drafts_[d][i];
        if (draft.mask == 0) {
          shuffle_.is_unrolled = false;
          continue;
        }
        ShuffleStep& step = shuffle_.steps[next++];
        step.mask = draft.mask;
        step.source_pair = i;
        __builtin_memcpy(step.index, draft.index, window_width);
      }
    }
    shuffle_.first_step[shuffle_.destinations] = next;
  }

  const Geometry& geometry_;
  const ShuffleTile& tile_;
  ByteShuffle& shuffle_;
  std::int64_t tail_;
  std::size_t pairs_ = 0;  // of source windows
  std::size_t steps_ = 0;
  std::int64_t extents_[max_rank];  // elements of each axis whose steps are being added
  bool in_tail_ = false;            // these belong to the tail tile, too
  ElementGroups groups_;            // of these elements
  std::size_t last_destination_ = 0, last_source_ = 0;
  Draft drafts_[max_windows][max_windows / 2];  // by destination and source pair
};

}  // namespace

bool find_shuffle_steps(const Geometry& geometry, const ShuffleTile& tile, ByteShuffle& shuffle) noexcept {
  return StepFinder(geometry, tile, shuffle).make();
}

}  // namespace dlspec::optimized
