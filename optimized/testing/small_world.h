// Every rearrangement of a small world: the source in every order of its axes, tight, padded or with one broadcast
// axis, each axis in both directions; the destination in every order, tight or padded, in both directions; extents 0 to
// 3; elements of 1 to 16 bytes. Axes of extent 0 and 1 have one direction only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {

inline constexpr std::uint16_t small_world_items[] = {1, 2, 4, 8, 16};  // element sizes in bytes

// Number of pairs of rank 0, 1, ...
inline constexpr std::int64_t small_world_pairs[] = {30, 260, 10'400, 936'000, 149'760'000};

// A sanitizer makes rank 3 take many minutes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t max_tested_rank = 2;
#else
inline constexpr std::size_t max_tested_rank = 3;
#endif

enum class Spacing { tight, padded, broadcast };

// Strides in this order of the axes, innermost first. Padded: a gap after every row. Broadcast: the innermost axis has
// stride 0.
inline Numbers strides_of(const Numbers& shape, const std::vector<std::size_t>& order, Spacing spacing) {
  Numbers strides(shape.size());
  std::int64_t next = spacing == Spacing::padded ? 2 : 1;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t axis = order[place];
    if (spacing == Spacing::broadcast && place == 0) continue;
    strides[axis] = next;
    next = next * std::max<std::int64_t>(shape[axis], 1) + (spacing == Spacing::padded ? 1 : 0);
  }
  return strides;
}

// Calls visit with the strides in every combination of directions.
template <class Visit>
void each_direction(const Numbers& shape, Numbers& strides, std::size_t axis, const Visit& visit) {
  if (axis == shape.size()) return visit(strides);
  each_direction(shape, strides, axis + 1, visit);
  if (shape[axis] < 2 || strides[axis] == 0) return;
  strides[axis] = -strides[axis];
  each_direction(shape, strides, axis + 1, visit);
  strides[axis] = -strides[axis];
}

inline std::vector<Numbers> small_layouts(const Numbers& shape, std::initializer_list<Spacing> spacings) {
  std::vector<Numbers> all;
  std::vector<std::size_t> order(shape.size());
  for (const Spacing spacing : spacings) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      Numbers strides = strides_of(shape, order, spacing);
      each_direction(shape, strides, 0, [&](const Numbers& found) { all.push_back(found); });
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return all;
}

template <class Visit>
void each_small_shape(std::size_t rank, const Visit& visit, const Numbers& shape = {}) {
  if (shape.size() == rank) return visit(shape);
  for (std::int64_t extent = 0; extent <= 3; ++extent) {
    Numbers longer = shape;
    longer.push_back(extent);
    each_small_shape(rank, visit, longer);
  }
}

// Calls visit(pair, number) for the pairs of a rank whose number, counted from 0, is wanted(number). Returns the number
// of all pairs of this rank.
template <class Wanted, class Visit>
std::int64_t each_small_pair(std::size_t rank, const Wanted& wanted, const Visit& visit) {
  std::int64_t number = 0;
  each_small_shape(rank, [&](const Numbers& shape) {
    const auto sources = small_layouts(shape, {Spacing::tight, Spacing::padded, Spacing::broadcast});
    const auto destinations = small_layouts(shape, {Spacing::tight, Spacing::padded});
    for (const std::uint16_t lanes : small_world_items) {
      for (const Numbers& to : destinations) {
        for (const Numbers& from : sources) {
          if (wanted(number)) visit(Pair{{kDLUInt, 8, lanes}, shape, to, from});
          ++number;
        }
      }
    }
  });
  return number;
}

}  // namespace dlspec::optimized::testing
