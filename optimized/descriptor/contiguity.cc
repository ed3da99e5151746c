#include <dlspec/optimized/descriptor/contiguity.h>

#include <algorithm>
#include <cstdint>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/overlap.h>

namespace dlspec::optimized {
namespace {

bool has_no_elements(std::span<const std::int64_t> shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

// The stride that the next outer axis must have. A product that overflows int64 equals no stride.
bool grow(std::int64_t extent, std::int64_t& expected) { return !__builtin_mul_overflow(extent, expected, &expected); }

}  // namespace

bool is_row_major(const View& view) noexcept {
  if (view.strides == nullptr || has_no_elements(view.shape)) return true;
  std::int64_t expected = 1;
  bool representable = true;
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    if (view.shape[axis] == 1) continue;
    if (!representable || view.strides[axis] != expected) return false;
    representable = grow(view.shape[axis], expected);
  }
  return true;
}

bool is_column_major(const View& view) noexcept {
  if (has_no_elements(view.shape)) return true;
  if (view.strides == nullptr) {
    return std::count_if(view.shape.begin(), view.shape.end(), [](std::int64_t extent) { return extent != 1; }) <= 1;
  }
  std::int64_t expected = 1;
  bool representable = true;
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] == 1) continue;
    if (!representable || view.strides[axis] != expected) return false;
    representable = grow(view.shape[axis], expected);
  }
  return true;
}

bool is_dense(const View& view) noexcept {
  std::int64_t count = 0;
  if (count_elements(view.shape, count) != Status::ok) return false;
  if (count == 0 || view.strides == nullptr) return true;
  // As many elements as the span has, each in a place of its own.
  return reach_of(view.shape, view.strides, count).span() == count && self_overlap(view) == Answer::no;
}

}  // namespace dlspec::optimized
