// Element sizes and extents around which rearrangements change their path, and random pairs of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {

inline abi::DataType bytes(std::uint16_t count) { return {kDLUInt, 8, count}; }

// Element sizes of 1 to 16 bytes, those between, and larger ones.
inline constexpr std::uint16_t all_sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  12, 15, 16,
                                              17, 20, 24, 31, 32, 33, 48, 63, 64, 65, 100};
inline constexpr std::uint16_t tile_sizes[] = {1, 2, 4, 8, 16};
inline constexpr std::uint16_t transposed_sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
// One less than, exactly and one more than vectors, cache lines and tiles hold, and one and two of them.
inline constexpr std::int64_t borders[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129};

// Up to 200 elements whose destination may overlap: the statuses agree, too.
template <std::size_t count>
Pair any_destination(const std::uint16_t (&sizes)[count]) {
  Pair pair;
  pair.dtype = bytes(*dlspec::testing::any_of(sizes));
  pair.shape = *dlspec::testing::small_shape(200);
  pair.to = *dlspec::testing::readable_strides(pair.shape);
  pair.from = *dlspec::testing::readable_strides(pair.shape);
  return pair;
}

}  // namespace dlspec::optimized::testing
