#include <dlspec/optimized/rearrange/plan/windows.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(window_width);

// One operand of a tile as rows of bytes and the strides between these, smallest first. Merges axes that continue each
// other or fit a vector together.
class SideRows {
 public:
  SideRows(const Geometry& geometry, const std::int64_t* extents, bool to) : bytes_(geometry.run) {
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      const std::int64_t stride = to ? geometry.axes[i].to : geometry.axes[i].from;
      if (extents[i] > 1 && stride != 0) insert(extents[i], stride);
    }
    while (first_ < depth_ && axes_[first_].stride == bytes_) bytes_ *= axes_[first_++].extents;
    if (bytes_ < vector) make_pattern();
  }

  [[nodiscard]] std::uint64_t pattern() const { return pattern_; }

  // Calls visit(offset, bytes) for each row, lowest first unless axes interleave, until it returns false. A row of at
  // most a vector has only the bytes of the pattern.
  template <class Visit>
  [[nodiscard]] bool each(const Visit& visit) const {
    std::int64_t offset = lowest_, index[max_rank];
    for (std::size_t place = first_; place < depth_; ++place) index[place] = 0;
    for (;;) {
      if (!visit(offset, bytes_)) return false;
      std::size_t place = first_;
      // Back to index 0 in one step: the offset beyond the last index could overflow int64.
      for (; place < depth_ && index[place] + 1 == axes_[place].extents; ++place) {
        offset -= index[place] * axes_[place].stride;
        index[place] = 0;
      }
      if (place == depth_) return true;
      offset += axes_[place].stride;
      ++index[place];
    }
  }

 private:
  struct RowAxis {
    std::int64_t extents;
    std::int64_t stride;
  };

  void insert(std::int64_t extents, std::int64_t stride) {
    if (stride < 0) {
      lowest_ += (extents - 1) * stride;
      stride = -stride;
    }
    std::size_t place = depth_++;
    for (; place > 0 && axes_[place - 1].stride > stride; --place) axes_[place] = axes_[place - 1];
    axes_[place] = {extents, stride};
  }

  void make_pattern() {
    pattern_ = bits_of(0, bytes_);
    for (; first_ < depth_ && axes_[first_].stride <= vector; ++first_) {
      const RowAxis& axis = axes_[first_];
      const std::int64_t span = bytes_ + (axis.extents - 1) * axis.stride;
      if (span > vector) return;
      const std::uint64_t element = pattern_;
      for (std::int64_t i = 1; i < axis.extents; ++i) pattern_ |= element << i * axis.stride;
      bytes_ = span;
    }
  }

  std::int64_t bytes_;  // from a row's first to its last
  std::uint64_t pattern_ = ~std::uint64_t{0};
  std::int64_t lowest_ = 0;
  std::size_t first_ = 0;  // axes before it are part of the rows
  std::size_t depth_ = 0;
  RowAxis axes_[max_rank];
};

}  // namespace

bool find_windows_of(const Geometry& geometry, const std::int64_t* extents, bool to, Window* windows,
                     std::size_t& count, std::uint64_t Window::* marks) noexcept {
  const SideRows rows(geometry, extents, to);
  const auto mark = [&](std::int64_t offset, std::uint64_t bytes) {
    for (;;) {
      const std::size_t found = window_of(windows, count, offset);
      if (found == max_windows) return false;
      const std::int64_t first = offset - windows[found].offset;
      windows[found].*marks |= bytes << first;
      if (first == 0) return true;
      bytes >>= vector - first;  // what did not fit the window
      if (bytes == 0) return true;
      const int gap = __builtin_ctzll(bytes);
      bytes >>= gap;
      offset += vector - first + gap;
    }
  };
  return rows.each([&](std::int64_t offset, std::int64_t bytes) {
    if (bytes <= vector) return mark(offset, rows.pattern() & bits_of(0, bytes));
    for (std::int64_t done = 0; done < bytes; done += vector) {
      if (!mark(offset + done, bits_of(0, min(bytes - done, vector)))) return false;
    }
    return true;
  });
}

}  // namespace dlspec::optimized
