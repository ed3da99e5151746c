#include <dlspec/optimized/rearrange/plan/geometry.h>

#include <limits>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();

bool has_storage(abi::DataType dtype) {
  return dtype.bits != 0 && dtype.lanes != 0 && (dtype.bits < 8 || dtype.bits % 8 == 0);
}

// Facts about both shapes, found in one pass.
struct ShapeFacts {
  bool negative = false;
  bool same = true;
  // The source's shape, valid if both are the same.
  bool empty = false;
  bool overflow = false;
  std::int64_t count = 1;
};

ShapeFacts compare_shapes(std::span<const std::int64_t> destination, std::span<const std::int64_t> source) {
  ShapeFacts seen;
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

Status check_layouts(const View& destination, const View& source, ShapeFacts& seen) {
  if (destination.shape.size() > max_rank || source.shape.size() > max_rank) return Status::bad_rank;
  seen = compare_shapes(destination.shape, source.shape);
  if (seen.negative) return Status::bad_extent;
  if (!has_storage(destination.dtype) || !has_storage(source.dtype)) return Status::bad_dtype;
  if (destination.dtype != source.dtype) return Status::dtype_mismatch;
  return seen.same ? Status::ok : Status::shape_mismatch;
}

// Byte span of one operand, axis by axis from the last to the first. Makes compact strides where they are NULL.
class LayoutSpan {
 public:
  LayoutSpan(const View& view, std::int64_t element_size)
      : view_(view), element_size_(element_size), compact_(element_size), high_(element_size) {}

  // Adds the axis and returns its byte stride.
  std::int64_t add_axis(std::size_t axis) {
    const std::int64_t extent = view_.shape[axis];
    std::int64_t step = compact_;
    if (view_.strides == nullptr) {
      overflow_ |= __builtin_mul_overflow(compact_, extent, &compact_);
    } else if (extent != 1) {
      overflow_ |= __builtin_mul_overflow(view_.strides[axis], element_size_, &step);
    }
    std::int64_t last = 0;
    overflow_ |= __builtin_mul_overflow(extent - 1, step, &last);
    overflow_ |= __builtin_add_overflow(low_, last < 0 ? last : 0, &low_);
    overflow_ |= __builtin_add_overflow(high_, last < 0 ? 0 : last, &high_);
    std::int64_t size = 0;
    overflow_ |=
        __builtin_sub_overflow(high_, low_, &size);  // rules out INT64_MIN as a stride, which has no absolute value
    return step;
  }

  // True if the byte span of the axes so far overflows int64.
  [[nodiscard]] bool overflow() const { return overflow_; }

  [[nodiscard]] ByteRange range() const { return {low_, high_}; }

 private:
  const View& view_;
  const std::int64_t element_size_;
  std::int64_t compact_;
  std::int64_t low_ = 0, high_;
  bool overflow_ = false;
};

// Inserts the axis in the order of `to`; equal ones keep their order. An axis with a negative `to` is reversed: the
// order of copies does not matter.
void insert(Geometry& geometry, Axis axis) {
  if (axis.to < 0) {
    geometry.to_start += (axis.extent - 1) * axis.to;
    geometry.from_start += (axis.extent - 1) * axis.from;
    axis.to = -axis.to;
    axis.from = -axis.from;
  }
  std::size_t place = geometry.rank++;
  for (; place > 0 && geometry.axes[place - 1].to > axis.to; --place) geometry.axes[place] = geometry.axes[place - 1];
  geometry.axes[place] = axis;
}

// True if distance == count * stride. The product may overflow int64: it is one stride beyond the axis.
bool equals_product(std::int64_t distance, std::int64_t count, std::int64_t step) {
  std::int64_t reached = 0;
  return !__builtin_mul_overflow(count, step, &reached) && distance == reached;
}
bool continues(const Axis& inner, const Axis& outer) {
  return equals_product(outer.to, inner.extent, inner.to) && equals_product(outer.from, inner.extent, inner.from);
}

void coalesce(Geometry& geometry) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    if (kept == 0 && axis.to == geometry.run && axis.from == geometry.run) {
      geometry.run *= axis.extent;
    } else if (kept > 0 && continues(geometry.axes[kept - 1], axis)) {
      geometry.axes[kept - 1].extent *= axis.extent;
    } else {
      geometry.axes[kept++] = axis;
    }
  }
  geometry.rank = kept;
}

bool has_same_layout(const Geometry& geometry) {
  if (geometry.to_start != geometry.from_start) return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    if (geometry.axes[i].to != geometry.axes[i].from) return false;
  }
  return true;
}

// False if a byte span overflows int64.
bool collect_axes(const View& destination, const View& source, std::int64_t element_size, Geometry& geometry) {
  geometry.run = element_size;
  geometry.to_start = geometry.from_start = 0;
  geometry.rank = 0;
  LayoutSpan to(destination, element_size), from(source, element_size);
  for (std::size_t axis = destination.shape.size(); axis-- > 0;) {
    const std::int64_t extent = destination.shape[axis];
    const std::int64_t to_stride = to.add_axis(axis), from_stride = from.add_axis(axis);
    if (to.overflow() || from.overflow()) return false;
    if (extent != 1) insert(geometry, {extent, to_stride, from_stride});
  }
  geometry.to_range = to.range();
  geometry.from_range = from.range();
  return true;
}

}  // namespace

Status normalise(const View& destination, const View& source, Geometry& geometry) noexcept {
  geometry.bytes = 0;
  geometry.to_range = geometry.from_range = {};
  ShapeFacts seen;
  if (const Status status = check_layouts(destination, source, seen); status != Status::ok) return status;
  if (seen.empty) return Status::ok;
  const std::uint32_t element_size = item_size(source.dtype);
  if (element_size == 0) return Status::unsupported_dtype;
  if (seen.overflow) return Status::size_overflow;
  if (!collect_axes(destination, source, element_size, geometry)) return Status::size_overflow;
  // Overflows int64 only if the destination overlaps itself, which check_destination reports.
  if (__builtin_mul_overflow(seen.count, std::int64_t{element_size}, &geometry.bytes)) geometry.bytes = max_int64;
  coalesce(geometry);
  geometry.same_layout = has_same_layout(geometry);
  return Status::ok;
}

}  // namespace dlspec::optimized
