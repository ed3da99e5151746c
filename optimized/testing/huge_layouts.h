// Random layouts of tensors that exceed any memory, for tests that execute plans without copying.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dlspec/reference/testing/generators.h>

namespace dlspec::optimized::testing {

// Up to six axes that span at most 2^52 bytes, however huge_strides() pads them.
inline std::vector<std::int64_t> huge_shape(std::int64_t element_size) {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 7);
  const auto extents = rc::gen::element<std::int64_t>(1, 2, 3, 17, 64, 129, 1000, 4099, 70'001);
  auto shape = *rc::gen::container<std::vector<std::int64_t>>(rank, extents);
  std::int64_t room = (std::int64_t{1} << 52) / element_size;
  for (std::int64_t& extent : shape) {
    extent = std::min(extent, std::max<std::int64_t>(room, 1));
    room /= extent + 3;
  }
  return shape;
}

// Axes in any order, padded and reversed at random, some of them broadcast if `repeats`.
inline std::vector<std::int64_t> huge_strides(const std::vector<std::int64_t>& shape, bool repeats) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t next = 1;
  for (const std::size_t axis : *dlspec::testing::permutation(shape.size())) {
    next += *rc::gen::weightedElement<std::int64_t>({{4, 0}, {1, 2}});
    strides[axis] = *rc::gen::arbitrary<bool>() ? next : -next;
    if (repeats && *rc::gen::weightedElement<bool>({{5, false}, {1, true}})) strides[axis] = 0;
    next *= shape[axis];
  }
  return strides;
}

}  // namespace dlspec::optimized::testing
