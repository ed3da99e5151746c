// The axes of a copy in pieces, and the part of them that one block copies.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>

namespace dlspec::optimized::cuda {

inline constexpr int max_axes = max_grid_axes;  // with the pieces of a run as an axis of its own
inline constexpr int no_split = -1;

[[nodiscard]] constexpr std::int64_t magnitude_of(std::int64_t number) { return number < 0 ? -number : number; }

struct BoxAxis {
  std::int64_t extent;
  std::int64_t to;
  std::int64_t from;
  std::int64_t box = 1;     // extent of the box
  int split = no_split;     // which split of the plan it is
  bool to_chain = false;    // part of what is contiguous in the destination, in the box
  bool from_chain = false;  // the same in the source
  std::int32_t shared = 0;  // byte stride in shared memory

  [[nodiscard]] bool is_partial() const { return box < extent; }
};

// Axes in the order of the destination, innermost first.
class BoxAxes {
 public:
  BoxAxes(const Geometry& geometry, std::int64_t width);

  // Grows the box until its rows have `row` bytes on both sides, and until it has `bytes` bytes in all, if it can
  // without leaving `max_bytes`. At most two axes are then partial.
  void grow_tile(std::int64_t row, std::int64_t bytes, std::int64_t max_bytes);
  // Grows the box in the order of the destination. At most one axis is then partial.
  void grow_rows(std::int64_t bytes);

  // Contiguous bytes of the box in the destination and in the source.
  [[nodiscard]] std::int64_t to_row() const { return row(to_order_, to_chain_); }
  [[nodiscard]] std::int64_t from_row() const { return row(from_order_, from_chain_); }
  [[nodiscard]] std::int64_t box_bytes() const;

  // Marks the chains and numbers the partial axes: split 0 is the one that ends the destination's chain, if any.
  void finish();

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] BoxAxis& operator[](int i) { return axes_[i]; }
  [[nodiscard]] const BoxAxis& operator[](int i) const { return axes_[i]; }
  // Axes with a source stride in the order of the source, and how many there are.
  [[nodiscard]] int from_order(int i) const { return from_order_[i]; }
  [[nodiscard]] int from_size() const { return from_size_; }
  // Axes of the whole layout that are contiguous in the destination, and in the source.
  [[nodiscard]] int to_chain() const { return to_chain_; }
  [[nodiscard]] int from_chain() const { return from_chain_; }

 private:
  [[nodiscard]] std::int64_t row(const int* order, int chain) const;
  [[nodiscard]] bool grow_chain(const int* order, int chain, std::int64_t row, std::int64_t max_bytes);
  [[nodiscard]] bool may_enter(int axis) const { return axes_[axis].box > 1 || entered() < max_chain_axes; }
  [[nodiscard]] int entered() const;
  [[nodiscard]] int partial() const;
  void grow_further(std::int64_t bytes, std::int64_t max_bytes, int max_partial);

  BoxAxis axes_[max_axes];
  int to_order_[max_axes];
  int from_order_[max_axes];
  int size_ = 0;
  int from_size_ = 0;
  int to_chain_ = 0;
  int from_chain_ = 0;
  std::int64_t width_;
};

}  // namespace dlspec::optimized::cuda
