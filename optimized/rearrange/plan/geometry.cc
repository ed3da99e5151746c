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
  for (const std::int64_t extent : destination) seen.negative |= extent < 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::int64_t extent = source[i];
    seen.negative |= extent < 0;
    seen.empty |= extent == 0;
    seen.overflow |= __builtin_mul_overflow(seen.count, extent, &seen.count);
    if (seen.same && destination[i] != extent) seen.same = false;
  }
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

// Where the layout's `count` elements lie.
Status find_range(const View& view, std::int64_t count, std::uint32_t item, ByteRange& range) {
  if (near_range(view, count, item, range)) return Status::ok;
  const Reach reach = reach_of(view.shape, view.strides, count);
  if (!fits_in_bytes(reach.span(), item * 8)) return Status::size_overflow;
  range = {static_cast<std::int64_t>(reach.low * item), static_cast<std::int64_t>((reach.high + 1) * item)};
  return Status::ok;
}

// Strides in elements of one side, from the last axis to the first: those of NULL are multiplied up.
class Strides {
 public:
  explicit Strides(const View& view) : view_(view) {}
  std::int64_t at(std::size_t axis) {
    if (view_.strides != nullptr) return view_.strides[axis];
    const std::int64_t stride = compact_;
    compact_ *= view_.shape[axis];
    return stride;
  }

 private:
  const View& view_;
  std::int64_t compact_ = 1;
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

void collect(const View& destination, const View& source, std::int64_t item, Geometry& geometry) {
  geometry.run = item;
  geometry.to_start = geometry.from_start = 0;
  geometry.rank = 0;
  Strides to(destination), from(source);
  for (std::size_t axis = destination.shape.size(); axis-- > 0;) {
    const std::int64_t extent = destination.shape[axis];
    const std::int64_t step_to = to.at(axis), step_from = from.at(axis);
    if (extent != 1) insert(geometry, {extent, step_to * item, step_from * item});
  }
  merge(geometry);
  geometry.same_places = has_same_places(geometry);
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
  const std::int64_t count = seen.count;
  if (const Status status = find_range(destination, count, item, geometry.to_range); status != Status::ok) return status;
  if (const Status status = find_range(source, count, item, geometry.from_range); status != Status::ok) return status;
  // Beyond 63 bits only where the destination overlaps, which check_destination finds.
  if (__builtin_mul_overflow(count, std::int64_t{item}, &geometry.bytes)) geometry.bytes = largest;
  collect(destination, source, item, geometry);
  return Status::ok;
}

}  // namespace dlspec::optimized
