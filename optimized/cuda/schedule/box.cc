#include <dlspec/optimized/cuda/schedule/box.h>

#include <algorithm>

namespace dlspec::optimized::cuda {

BoxAxes::BoxAxes(const Geometry& geometry, std::int64_t width) : width_(width) {
  if (geometry.run > width) axes_[size_++] = {.extent = geometry.run / width, .to = width, .from = width};
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    axes_[size_++] = {.extent = geometry.axes[i].extent, .to = geometry.axes[i].to, .from = geometry.axes[i].from};
  }
  for (int i = 0; i < size_; ++i) {
    to_order_[i] = i;
    if (axes_[i].from == 0) continue;
    int place = from_size_++;
    for (; place > 0 && magnitude_of(axes_[from_order_[place - 1]].from) > magnitude_of(axes_[i].from); --place) {
      from_order_[place] = from_order_[place - 1];
    }
    from_order_[place] = i;
  }
  std::int64_t next = width;
  for (; to_chain_ < size_ && axes_[to_chain_].to == next; ++to_chain_) next *= axes_[to_chain_].extent;
  next = width;
  while (from_chain_ < from_size_ && magnitude_of(axes_[from_order_[from_chain_]].from) == next) {
    next *= axes_[from_order_[from_chain_++]].extent;
  }
}

std::int64_t BoxAxes::row(const int* order, int chain) const {
  std::int64_t bytes = width_;
  for (int i = 0; i < chain; ++i) {
    bytes *= axes_[order[i]].box;
    if (axes_[order[i]].is_partial()) break;
  }
  return bytes;
}

std::int64_t BoxAxes::box_bytes() const {
  std::int64_t bytes = width_;
  for (int i = 0; i < size_; ++i) bytes *= axes_[i].box;
  return bytes;
}

int BoxAxes::entered() const {
  return static_cast<int>(std::count_if(axes_, axes_ + size_, [](const BoxAxis& axis) { return axis.box > 1; }));
}

int BoxAxes::partial() const {
  return static_cast<int>(
      std::count_if(axes_, axes_ + size_, [](const BoxAxis& axis) { return axis.box > 1 && axis.is_partial(); }));
}

// Grows the first axis of the chain that is not complete; false if it cannot grow.
bool BoxAxes::grow_chain(const int* order, int chain, std::int64_t row_bytes, std::int64_t max_bytes) {
  const std::int64_t have = row(order, chain);
  if (have >= row_bytes) return false;
  int i = 0;
  while (i < chain && !axes_[order[i]].is_partial()) ++i;
  if (i == chain || !may_enter(order[i])) return false;
  BoxAxis& axis = axes_[order[i]];
  const std::int64_t room = axis.box * (max_bytes / box_bytes());
  std::int64_t wanted = row_bytes / (have / axis.box);
  if (axis.extent <= wanted + wanted / 2) wanted = axis.extent;  // better a little more than a short second part
  const std::int64_t grown = std::min({axis.extent, wanted, room});
  if (grown <= axis.box) return false;
  axis.box = grown;
  return true;
}

// Takes in axes in the order of the destination, so that each thread has enough to do.
void BoxAxes::grow_further(std::int64_t bytes, std::int64_t max_bytes, int max_partial) {
  for (int i = 0; i < size_ && box_bytes() < bytes; ++i) {
    BoxAxis& axis = axes_[i];
    if (!axis.is_partial()) continue;
    if (!may_enter(i)) return;
    const std::int64_t room = axis.box * (max_bytes / box_bytes());
    const std::int64_t wanted = std::max(axis.box, axis.box * bytes / box_bytes());
    std::int64_t grown = std::min({axis.extent, wanted, room});
    const bool was_partial = axis.box > 1;
    if (grown < axis.extent && !was_partial && partial() >= max_partial) return;
    axis.box = grown;
    if (axis.is_partial() && !was_partial) return;
  }
}

void BoxAxes::grow_tile(std::int64_t row_bytes, std::int64_t bytes, std::int64_t max_bytes) {
  for (std::int64_t target = row_bytes;; target *= 2) {
    bool grown = false;
    for (bool growing = true; growing;) {
      // The chain with the shorter row first.
      const bool to_first = to_row() < from_row();
      const int* const first = to_first ? to_order_ : from_order_;
      const int* const second = to_first ? from_order_ : to_order_;
      growing = grow_chain(first, to_first ? to_chain_ : from_chain_, target, max_bytes) ||
                grow_chain(second, to_first ? from_chain_ : to_chain_, target, max_bytes);
      grown |= growing;
    }
    if (box_bytes() >= bytes || (!grown && target > row_bytes)) break;
  }
  grow_further(bytes, max_bytes, 2);
}

void BoxAxes::grow_rows(std::int64_t bytes) { grow_further(bytes, bytes, 1); }

void BoxAxes::finish() {
  int splits = 0;
  for (int i = 0; i < size_; ++i) {
    axes_[i].split = no_split;
    axes_[i].to_chain = axes_[i].from_chain = false;
  }
  for (int i = 0; i < to_chain_; ++i) {
    BoxAxis& axis = axes_[i];
    axis.to_chain = axis.box > 1;
    if (!axis.is_partial()) continue;
    if (axis.box > 1) axis.split = splits++;
    break;
  }
  for (int i = 0; i < from_chain_; ++i) {
    BoxAxis& axis = axes_[from_order_[i]];
    axis.from_chain = axis.box > 1;
    if (axis.is_partial()) break;
  }
  for (int i = 0; i < size_; ++i) {
    if (axes_[i].box > 1 && axes_[i].is_partial() && axes_[i].split == no_split) axes_[i].split = splits++;
  }
}

}  // namespace dlspec::optimized::cuda
