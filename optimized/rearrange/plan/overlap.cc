// Overlap checks on a geometry: is the destination injective, and do two operands share bytes?
#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/rearrange/plan/bounded_sums.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {
namespace {

// True if the stride of each axis is at least the span of the axes inside it.
bool is_nested(const Geometry& geometry) {
  std::int64_t span = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    if (axis.to < span) return false;
    span += (axis.extent - 1) * axis.to;
  }
  return true;
}

}  // namespace

Status check_destination(const View& destination, const Geometry& geometry) noexcept {
  if (is_nested(geometry)) return Status::ok;
  return self_overlap(destination) == Answer::no ? Status::ok : Status::destination_overlap;
}

Status check_operands(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source) noexcept {
  if (!ranges_meet(destination, geometry.to_range, source, geometry.from_range)) return Status::ok;
  if (destination == source && geometry.same_layout) return Status::ok;
  // The difference of two offsets is a sum of terms, destination strides forwards and source strides backwards. Terms
  // below 0 are counted from their lowest sum.
  BoundedSums differences;
  Wide lowest = 0;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    const Wide steps = axis.extent - 1;
    differences.add(steps, axis.to);
    if (axis.from > 0) lowest -= steps * axis.from;
    if (axis.from != 0) differences.add(steps, axis.from < 0 ? -axis.from : axis.from);
  }
  // Two runs share a byte if they begin less than a run apart.
  const Wide apart = Wide{source} + geometry.from_start - Wide{destination} - geometry.to_start - lowest;
  const Answer answer = differences.reach(apart - geometry.run + 1, apart + geometry.run - 1);
  return answer == Answer::no ? Status::ok : Status::operands_overlap;
}

}  // namespace dlspec::optimized
