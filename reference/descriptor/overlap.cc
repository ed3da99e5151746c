#include <dlspec/reference/descriptor/overlap.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <dlspec/reference/descriptor/enumerate.h>

namespace dlspec::reference {
namespace {

// An axis of an extent above 1. The distance is the absolute value of the stride: its sign does not change whether
// positions coincide.
struct Moving {
  std::int64_t extent;
  std::uint64_t distance;

  [[nodiscard]] Wide span() const { return (Wide(extent) - 1) * distance; }
};

std::uint64_t distance_of(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? std::uint64_t{0} - bits : bits;
}

// Sorted by distance. The layout has strides of its own.
std::vector<Moving> moving_axes(const Axes& axes) {
  std::vector<Moving> moving;
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    if (axes.shape[axis] > 1) moving.push_back({axes.shape[axis], distance_of(axes.strides[axis])});
  }
  std::ranges::sort(moving, {}, &Moving::distance);
  return moving;
}

Wide total_span(const std::vector<Moving>& axes) {
  Wide span;
  for (const Moving& axis : axes) span += axis.span();
  return span;
}

std::uint64_t common_divisor(std::span<const Moving> axes) {
  std::uint64_t divisor = 0;
  for (const Moving& axis : axes) divisor = std::gcd(divisor, axis.distance);
  return divisor;
}

// The distance is larger than the reach of all other axes together, so two indices with the same position are equal on
// this axis.
bool outreaches(const Moving& axis, const Wide& span_of_all) { return axis.distance + axis.span() > span_of_all; }

// The other axes reach only multiples of their common divisor, and fewer than `extent` steps along this axis reach none
// of them: again two indices with the same position are equal on this axis.
bool between_the_multiples(const std::vector<Moving>& axes, std::size_t at) {
  const Moving& axis = axes[at];
  const std::span all(axes);
  const std::uint64_t divisor = std::gcd(common_divisor(all.first(at)), common_divisor(all.subspan(at + 1)));
  return divisor / std::gcd(divisor, axis.distance) >= static_cast<std::uint64_t>(axis.extent);
}

// Removes axes on which indices with the same position are equal, until there is none. The remaining layout overlaps
// exactly when the whole one does. No distance is 0. The largest distance comes first: mostly it is decided.
void remove_decided_axes(std::vector<Moving>& axes) {
  Wide span = total_span(axes);
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (!outreaches(axes[i], span) && !between_the_multiples(axes, i)) continue;
    span -= axes[i].span();
    axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
    i = axes.size();
  }
}

// Two axes alone have a first common position after (other distance)/divisor steps along each.
bool pair_coincides(const Moving& a, const Moving& b) {
  const std::uint64_t divisor = std::gcd(a.distance, b.distance);
  return b.distance / divisor < static_cast<std::uint64_t>(a.extent) &&
         a.distance / divisor < static_cast<std::uint64_t>(b.extent);
}

bool some_pair_coincides(const std::vector<Moving>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (std::size_t j = i + 1; j < axes.size(); ++j) {
      if (pair_coincides(axes[i], axes[j])) return true;
    }
  }
  return false;
}

// There are more indices than positions (pigeonhole principle).
bool pigeonhole(const std::vector<Moving>& axes) {
  Wide count = 1;
  for (const Moving& axis : axes) count *= axis.extent;
  return (count - 1) * common_divisor(axes) > total_span(axes);
}

Overlap decide(std::vector<Moving>& axes) {
  if (!axes.empty() && axes.front().distance == 0) return Overlap::yes;
  remove_decided_axes(axes);
  if (some_pair_coincides(axes) || pigeonhole(axes)) return Overlap::yes;
  return axes.empty() ? Overlap::no : Overlap::unknown;
}

bool has_duplicates(std::vector<std::int64_t>& positions) {
  std::sort(positions.begin(), positions.end());
  return std::adjacent_find(positions.begin(), positions.end()) != positions.end();
}

std::vector<std::int64_t> positions_of(const Axes& axes) {
  std::vector<std::int64_t> positions;
  positions.reserve(static_cast<std::size_t>(*element_count(axes.shape).to_int64()));
  for (Cursor<std::int64_t> cursor(axes); !cursor.done(); cursor.advance()) positions.push_back(cursor.offset());
  return positions;
}

// The axes that the proofs did not remove, as a layout.
Overlap enumerate(const std::vector<Moving>& axes, std::size_t limit) {
  std::vector<std::int64_t> shape, strides;
  for (const Moving& axis : axes) {
    shape.push_back(axis.extent);
    strides.push_back(static_cast<std::int64_t>(axis.distance));
  }
  const bool visitable = element_count(shape) <= limit && total_span(axes).to_int64();
  if (!visitable) return Overlap::unknown;
  return self_overlap_by_enumeration({shape, strides.data()}) ? Overlap::yes : Overlap::no;
}

}  // namespace

Overlap self_overlap_by_proof(const Axes& axes) { return self_overlap(axes, 0); }

Overlap self_overlap(const Axes& axes, std::size_t enumeration_limit) {
  if (is_empty(axes.shape) || axes.strides == nullptr) return Overlap::no;
  std::vector<Moving> moving = moving_axes(axes);
  const Overlap proven = decide(moving);
  return proven == Overlap::unknown ? enumerate(moving, enumeration_limit) : proven;
}

bool self_overlap_by_enumeration(const Axes& axes) {
  std::vector<std::int64_t> positions = positions_of(axes);
  return has_duplicates(positions);
}

namespace {

// First bit of the lowest element and last bit of the highest, both included.
std::pair<Wide, Wide> bit_range(const Placed& placed) {
  const Reach range = *reach(placed.axes, placed.width);
  return {placed.start + range.low * placed.width, placed.start + (range.high + 1) * placed.width - 1};
}

bool contains(const std::pair<Wide, Wide>& range, const Wide& bit) { return range.first <= bit && bit <= range.second; }

// No gap between the lowest and the highest element: sorted by distance, no axis has a distance larger than the span
// that the faster ones fill.
bool is_dense(const Axes& axes) {
  if (axes.strides == nullptr) return true;
  Wide filled = 1;
  for (const Moving& axis : moving_axes(axes)) {
    if (Wide(axis.distance) > filled) return false;
    filled += axis.span();
  }
  return true;
}

// The distance between any two elements is a multiple of this number of bits; 0 for a single element.
Wide step_of(const Placed& placed) {
  if (placed.axes.strides == nullptr) return element_count(placed.axes.shape) == 1 ? 0 : placed.width;
  return Wide(common_divisor(moving_axes(placed.axes))) * placed.width;
}

// The positions of both recur with a common period; if their phases do not overlap, no element does. At least one is
// not dense, so there is a period.
bool phases_keep_apart(const Placed& a, const Placed& b) {
  Wide period = step_of(a), rest = step_of(b);
  while (rest != 0) period = std::exchange(rest, floor_modulo(period, rest));
  const Wide phase = floor_modulo(b.start - a.start, period);
  return phase >= a.width && phase + b.width <= period;
}

// The sorted starts of the elements, when element (0, ..., 0) starts at `first`.
std::vector<std::int64_t> starts_of(const Placed& placed, std::int64_t first) {
  std::vector<std::int64_t> starts = positions_of(placed.axes);
  for (std::int64_t& start : starts) start = first + start * placed.width;
  std::sort(starts.begin(), starts.end());
  return starts;
}

bool visitable(const Placed& a, const Placed& b, std::size_t limit) {
  if (element_count(a.axes.shape) + element_count(b.axes.shape) > limit) return false;
  const auto [low_a, high_a] = bit_range(a);
  const auto [low_b, high_b] = bit_range(b);
  return (std::max(high_a, high_b) - std::min(low_a, low_b) + 1).to_int64().has_value();
}

}  // namespace

Overlap mutual_overlap_by_proof(const Placed& a, const Placed& b) {
  if (is_empty(a.axes.shape) || is_empty(b.axes.shape)) return Overlap::no;
  const auto range_a = bit_range(a), range_b = bit_range(b);
  if (range_a.second < range_b.first || range_b.second < range_a.first) return Overlap::no;
  if (a.start == b.start) return Overlap::yes;
  const bool dense_a = is_dense(a.axes), dense_b = is_dense(b.axes);
  if (dense_a && dense_b) return Overlap::yes;
  if (dense_a && (contains(range_a, range_b.first) || contains(range_a, range_b.second))) return Overlap::yes;
  if (dense_b && (contains(range_b, range_a.first) || contains(range_b, range_a.second))) return Overlap::yes;
  return phases_keep_apart(a, b) ? Overlap::no : Overlap::unknown;
}

bool mutual_overlap_by_enumeration(const Placed& a, const Placed& b) {
  const std::int64_t b_after_a = *(b.start - a.start).to_int64();
  const std::vector<std::int64_t> starts_a = starts_of(a, 0), starts_b = starts_of(b, b_after_a);
  auto next = starts_b.begin();
  for (const std::int64_t start : starts_a) {
    while (next != starts_b.end() && *next + b.width <= start) ++next;
    if (next != starts_b.end() && *next < start + a.width) return true;
  }
  return false;
}

Overlap mutual_overlap(const Placed& a, const Placed& b, std::size_t enumeration_limit) {
  const Overlap proven = mutual_overlap_by_proof(a, b);
  if (proven != Overlap::unknown || !visitable(a, b, enumeration_limit)) return proven;
  return mutual_overlap_by_enumeration(a, b) ? Overlap::yes : Overlap::no;
}

bool same_view(const Placed& a, const Placed& b) {
  if (!std::equal(a.axes.shape.begin(), a.axes.shape.end(), b.axes.shape.begin(), b.axes.shape.end())) return false;
  if (is_empty(a.axes.shape)) return true;
  if (a.start != b.start || a.width != b.width) return false;
  for (std::size_t axis = 0; axis < a.axes.rank(); ++axis) {
    if (a.axes.shape[axis] > 1 && stride_of(a.axes, axis) != stride_of(b.axes, axis)) return false;
  }
  return true;
}

}  // namespace dlspec::reference
