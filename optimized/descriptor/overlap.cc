#include <dlspec/optimized/descriptor/overlap.h>

#include <algorithm>
#include <array>
#include <utility>

namespace dlspec::optimized {
namespace {

constexpr std::size_t most_axes = 64;
constexpr int search_budget = 4096;

struct Axis {
  std::int64_t steps;  // extent - 1, at least 1
  Wide stride;         // absolute value
};

// The axes that matter, largest stride first; below[i] is the combined span of the axes from i on.
struct Axes {
  std::array<Axis, most_axes> axis;
  std::array<Wide, most_axes + 1> below;
  std::size_t count = 0;
};

void sort_axes(const View& view, Axes& axes) {
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (view.shape[i] == 1) continue;
    const Wide stride = view.strides[i];
    axes.axis[axes.count++] = {view.shape[i] - 1, stride < 0 ? -stride : stride};
  }
  std::sort(axes.axis.begin(), axes.axis.begin() + axes.count,
            [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
  axes.below[axes.count] = 0;
  for (std::size_t i = axes.count; i-- > 0;)
    axes.below[i] = axes.below[i + 1] + axes.axis[i].steps * axes.axis[i].stride;
}

// True if each stride exceeds the span of the smaller axes.
bool is_nested(const Axes& axes) {
  for (std::size_t i = 0; i < axes.count; ++i) {
    if (axes.axis[i].stride <= axes.below[i + 1]) return false;
  }
  return true;
}

// Searches for differences d with |d[i]| <= steps[i], not all 0, and sum of d[i] * stride[i] == target.
Answer search(const Axes& axes, std::size_t i, Wide target, bool moved, int& budget) {
  if (--budget < 0) return Answer::maybe;
  if (i == axes.count) return target == 0 && moved ? Answer::yes : Answer::no;
  const auto [steps, stride] = axes.axis[i];
  const Wide slack = axes.below[i + 1];
  // The smaller axes must be able to reach what remains after this one. No stride is 0 here.
  const Wide first = std::max<Wide>(-steps, (target - slack) / stride - 1);
  const Wide last = std::min<Wide>(steps, (target + slack) / stride + 1);
  // d and -d are the same solution: until an index differs, one sign is enough.
  for (Wide d = moved ? first : std::max<Wide>(first, 0); d <= last; ++d) {
    const Wide rest = target - d * stride;
    if (rest > slack || rest < -slack) {
      if (--budget < 0) return Answer::maybe;
      continue;
    }
    const Answer answer = search(axes, i + 1, rest, moved || d != 0, budget);
    if (answer != Answer::no) return answer;
  }
  return Answer::no;
}

// Axes with a.stride >= b.stride > 0: x * a.stride == y * b.stride has a smallest solution.
Answer overlap_of_two(const Axis& a, const Axis& b) {
  Wide divisor = a.stride;
  for (Wide rest = b.stride; rest != 0;) divisor = std::exchange(rest, divisor % rest);
  return b.stride / divisor <= a.steps && a.stride / divisor <= b.steps ? Answer::yes : Answer::no;
}

}  // namespace

Answer self_overlap(const View& view) noexcept {
  std::int64_t count = 0;
  if (view.shape.size() > most_axes || count_elements(view.shape, count) != Status::ok) return Answer::maybe;
  if (count <= 1 || view.strides == nullptr) return Answer::no;
  Axes axes;
  sort_axes(view, axes);
  if (axes.axis[axes.count - 1].stride == 0) return Answer::yes;
  if (is_nested(axes)) return Answer::no;
  if (count > axes.below[0] + 1) return Answer::yes;  // pigeonhole: more elements than places
  if (axes.count == 2) return overlap_of_two(axes.axis[0], axes.axis[1]);
  int budget = search_budget;
  return search(axes, 0, 0, false, budget);
}

bool ranges_meet(std::uintptr_t a, const ByteRange& range_a, std::uintptr_t b, const ByteRange& range_b) noexcept {
  if (range_a.begin == range_a.end || range_b.begin == range_b.end) return false;
  const Wide distance = Wide{b} - Wide{a};
  return distance + range_b.begin < range_a.end && distance + range_b.end > range_a.begin;
}

}  // namespace dlspec::optimized
