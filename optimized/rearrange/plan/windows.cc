#include <dlspec/optimized/rearrange/plan/windows.h>

#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);

// What one side sees of a cell: rows of bytes, and the steps from row to row, the narrowest first. Which axes they
// come from does not matter here, so that those which continue each other, or fit a vector together, are one.
class Rows {
 public:
  Rows(const Geometry& geometry, const std::int64_t* items, bool to) : bytes_(geometry.run) {
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      const std::int64_t step = to ? geometry.axes[i].to : geometry.axes[i].from;
      if (items[i] > 1 && step != 0) insert(items[i], step);
    }
    while (first_ < depth_ && axes_[first_].step == bytes_) bytes_ *= axes_[first_++].items;
    if (bytes_ < vector) make_pattern();
  }

  [[nodiscard]] std::uint64_t pattern() const { return pattern_; }

  // Calls visit(offset, bytes) for each row, the lowest first unless axes interleave, until one answers false. A row of
  // at most a vector has the bytes of the pattern only.
  template <class Visit>
  [[nodiscard]] bool each(const Visit& visit) const {
    std::int64_t offset = lowest_, index[highest_rank];
    for (std::size_t place = first_; place < depth_; ++place) index[place] = 0;
    for (;;) {
      if (!visit(offset, bytes_)) return false;
      std::size_t place = first_;
      // Back to the first in one step: there is no place behind the last that 64 bits would hold for sure.
      for (; place < depth_ && index[place] + 1 == axes_[place].items; ++place) {
        offset -= index[place] * axes_[place].step;
        index[place] = 0;
      }
      if (place == depth_) return true;
      offset += axes_[place].step;
      ++index[place];
    }
  }

 private:
  struct Axis {
    std::int64_t items;
    std::int64_t step;
  };

  void insert(std::int64_t items, std::int64_t step) {
    if (step < 0) {
      lowest_ += (items - 1) * step;
      step = -step;
    }
    std::size_t place = depth_++;
    for (; place > 0 && axes_[place - 1].step > step; --place) axes_[place] = axes_[place - 1];
    axes_[place] = {items, step};
  }

  void make_pattern() {
    pattern_ = bits_of(0, bytes_);
    for (; first_ < depth_ && axes_[first_].step <= vector; ++first_) {
      const Axis& axis = axes_[first_];
      const std::int64_t reached = bytes_ + (axis.items - 1) * axis.step;
      if (reached > vector) return;
      const std::uint64_t item = pattern_;
      for (std::int64_t i = 1; i < axis.items; ++i) pattern_ |= item << i * axis.step;
      bytes_ = reached;
    }
  }

  std::int64_t bytes_;  // from a row's first to its last
  std::uint64_t pattern_ = ~std::uint64_t{0};
  std::int64_t lowest_ = 0;
  std::size_t first_ = 0;  // axes before it are part of the rows
  std::size_t depth_ = 0;
  Axis axes_[highest_rank];
};

}  // namespace

bool find_windows_of(const Geometry& geometry, const std::int64_t* items, bool to, Window* windows, std::size_t& count,
                     std::uint64_t Window::* marks) noexcept {
  const Rows rows(geometry, items, to);
  const auto mark = [&](std::int64_t offset, std::uint64_t bytes) {
    for (;;) {
      const std::size_t found = window_of(windows, count, offset);
      if (found == most_windows) return false;
      const std::int64_t first = offset - windows[found].offset;
      windows[found].*marks |= bytes << first;
      if (first == 0) return true;
      bytes >>= vector - first;  // what the window did not have
      if (bytes == 0) return true;
      const int gap = __builtin_ctzll(bytes);
      bytes >>= gap;
      offset += vector - first + gap;
    }
  };
  return rows.each([&](std::int64_t offset, std::int64_t bytes) {
    if (bytes <= vector) return mark(offset, rows.pattern() & bits_of(0, bytes));
    for (std::int64_t done = 0; done < bytes; done += vector) {
      if (!mark(offset + done, bits_of(0, lesser(bytes - done, vector)))) return false;
    }
    return true;
  });
}

}  // namespace dlspec::optimized
