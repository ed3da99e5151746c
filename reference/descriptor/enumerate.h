// Visits every index of a layout, the last axis varying fastest.
#pragma once

#include <cstdint>
#include <vector>

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::reference {

// A cursor over the indices. `Offset` is a Wide, or a built-in integer where the caller knows that the reach fits.
// Refers to the extents of `axes`, which must outlive it.
template <class Offset>
class Cursor {
 public:
  explicit Cursor(const Axes& axes) : shape_(axes.shape), index_(axes.rank(), 0), done_(is_empty(axes.shape)) {
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) strides_.push_back(convert(stride_of(axes, axis)));
  }

  // True when the last index has been passed; at once for a layout without elements.
  [[nodiscard]] bool done() const { return done_; }
  // Elements from element (0, ..., 0).
  [[nodiscard]] const Offset& offset() const { return offset_; }
  [[nodiscard]] const std::vector<std::int64_t>& index() const { return index_; }

  void advance() {
    for (std::size_t axis = index_.size(); axis-- > 0;) {
      if (index_[axis] + 1 < shape_[axis]) {
        ++index_[axis];
        offset_ += strides_[axis];
        return;
      }
      offset_ -= Offset(index_[axis]) * strides_[axis];
      index_[axis] = 0;
    }
    done_ = true;
  }

 private:
  // The stride of an axis of extent 1 is multiplied by 0 only, so that any value will do.
  static Offset convert(const Wide& stride) {
    if constexpr (std::same_as<Offset, Wide>) {
      return stride;
    } else {
      return static_cast<Offset>(stride.to_int64().value_or(0));
    }
  }

  std::span<const std::int64_t> shape_;
  std::vector<Offset> strides_;
  std::vector<std::int64_t> index_;
  Offset offset_{};
  bool done_;
};

}  // namespace dlspec::reference
