#include <dlspec/optimized/rearrange/plan/geometry.h>

#include <limits>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

bool has_storage(abi::DataType dtype) {
  return dtype.bits != 0 && dtype.lanes != 0 && (dtype.bits < 8 || dtype.bits % 8 == 0);
}

// Both shapes in one pass.
struct Extents {
  bool negative = false;
  bool same = true;
  // Of the source's, when they are the same.
  bool empty = false;
  bool overflow = false;
  std::int64_t count = 1;
};

Extents look_at(std::span<const std::int64_t> destination, std::span<const std::int64_t> source) {
  Extents seen;
  seen.same = destination.size() == source.size();
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::int64_t extent = source[i];
    seen.negative |= extent < 0;
    seen.empty |= extent == 0;
    seen.overflow |= __builtin_mul_overflow(seen.count, extent, &seen.count);
    if (seen.same && destination[i] != extent) seen.same = false;
  }
  if (seen.same) return seen;
  for (const std::int64_t extent : destination) seen.negative |= extent < 0;
  return seen;
}

Status check_layouts(const View& destination, const View& source, Extents& seen) {
  if (destination.shape.size() > highest_rank || source.shape.size() > highest_rank) return Status::bad_rank;
  seen = look_at(destination.shape, source.shape);
  if (seen.negative) return Status::bad_extent;
  if (!has_storage(destination.dtype) || !has_storage(source.dtype)) return Status::bad_dtype;
  if (destination.dtype != source.dtype) return Status::dtype_mismatch;
  return seen.same ? Status::ok : Status::shape_mismatch;
}

// One side, from the last axis to the first: strides of NULL are multiplied up.
class Side {
 public:
  Side(const View& view, std::int64_t item) : view_(view), item_(item), compact_(item), high_(item) {}

  // Bytes from one item of the axis to the next.
  std::int64_t step(std::size_t axis) {
    const std::int64_t extent = view_.shape[axis];
    std::int64_t step = compact_;
    if (view_.strides == nullptr) {
      overflow_ |= __builtin_mul_overflow(compact_, extent, &compact_);
    } else if (extent != 1) {
      overflow_ |= __builtin_mul_overflow(view_.strides[axis], item_, &step);
    }
    std::int64_t last = 0;
    overflow_ |= __builtin_mul_overflow(extent - 1, step, &last);
    overflow_ |= __builtin_add_overflow(low_, last < 0 ? last : 0, &low_);
    overflow_ |= __builtin_add_overflow(high_, last < 0 ? 0 : last, &high_);
    std::int64_t size = 0;
    overflow_ |=
        __builtin_sub_overflow(high_, low_, &size);  // so that no step is the lowest number, which has no opposite
    return step;
  }

  // Do 63 bits not count the bytes that the axes so far reach?
  [[nodiscard]] bool overflow() const { return overflow_; }

  [[nodiscard]] ByteRange range() const { return {low_, high_}; }

 private:
  const View& view_;
  const std::int64_t item_;
  std::int64_t compact_;
  std::int64_t low_ = 0, high_;
  bool overflow_ = false;
};

// Puts the axis where it belongs by `to`; equal ones stay in the order in which they came. Walked backwards
// where it would go down in the destination: a copy has no order.
void insert(Geometry& geometry, Step step) {
  if (step.to < 0) {
    geometry.to_start += (step.extent - 1) * step.to;
    geometry.from_start += (step.extent - 1) * step.from;
    step.to = -step.to;
    step.from = -step.from;
  }
  std::size_t place = geometry.rank++;
  for (; place > 0 && geometry.axes[place - 1].to > step.to; --place) geometry.axes[place] = geometry.axes[place - 1];
  geometry.axes[place] = step;
}

// Is this so many steps? What would continue an axis lies a step behind its last element, and there 64 bits need not
// reach.
bool is_times(std::int64_t distance, std::int64_t count, std::int64_t step) {
  std::int64_t reached = 0;
  return !__builtin_mul_overflow(count, step, &reached) && distance == reached;
}
bool continues(const Step& inner, const Step& outer) {
  return is_times(outer.to, inner.extent, inner.to) && is_times(outer.from, inner.extent, inner.from);
}

void merge(Geometry& geometry) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Step& step = geometry.axes[i];
    if (kept == 0 && step.to == geometry.run && step.from == geometry.run) {
      geometry.run *= step.extent;
    } else if (kept > 0 && continues(geometry.axes[kept - 1], step)) {
      geometry.axes[kept - 1].extent *= step.extent;
    } else {
      geometry.axes[kept++] = step;
    }
  }
  geometry.rank = kept;
}

bool has_same_places(const Geometry& geometry) {
  if (geometry.to_start != geometry.from_start) return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (geometry.axes[i].to != geometry.axes[i].from) return false;
  }
  return true;
}

// False where the bytes of a side are too many.
bool collect(const View& destination, const View& source, std::int64_t item, Geometry& geometry) {
  geometry.run = item;
  geometry.to_start = geometry.from_start = 0;
  geometry.rank = 0;
  Side to(destination, item), from(source, item);
  for (std::size_t axis = destination.shape.size(); axis-- > 0;) {
    const std::int64_t extent = destination.shape[axis];
    const std::int64_t step_to = to.step(axis), step_from = from.step(axis);
    if (to.overflow() || from.overflow()) return false;
    if (extent != 1) insert(geometry, {extent, step_to, step_from});
  }
  geometry.to_range = to.range();
  geometry.from_range = from.range();
  return true;
}

}  // namespace

Status normalise(const View& destination, const View& source, Geometry& geometry) noexcept {
  geometry.bytes = 0;
  geometry.to_range = geometry.from_range = {};
  Extents seen;
  if (const Status status = check_layouts(destination, source, seen); status != Status::ok) return status;
  if (seen.empty) return Status::ok;
  const std::uint32_t item = item_size(source.dtype);
  if (item == 0) return Status::unsupported_dtype;
  if (seen.overflow) return Status::size_overflow;
  if (!collect(destination, source, item, geometry)) return Status::size_overflow;
  // Beyond 63 bits only where the destination overlaps, which check_destination finds.
  if (__builtin_mul_overflow(seen.count, std::int64_t{item}, &geometry.bytes)) geometry.bytes = largest;
  merge(geometry);
  geometry.same_places = has_same_places(geometry);
  return Status::ok;
}

}  // namespace dlspec::optimized
