// A view of the reference as one of the optimized side, for those that compare the two.
#pragma once

#include <algorithm>

#include <dlspec/optimized/descriptor/strided.h>
#include <dlspec/reference/descriptor/views.h>

namespace dlspec::optimized::testing {

// `slow` has no more axes than a Strided has room for.
[[nodiscard]] inline Strided fast_of(const reference::Strided& slow) {
  Strided fast;
  fast.rank = slow.rank();
  fast.origin = slow.origin;
  std::copy(slow.shape.begin(), slow.shape.end(), fast.shape.begin());
  std::copy(slow.strides.begin(), slow.strides.end(), fast.strides.begin());
  return fast;
}

}  // namespace dlspec::optimized::testing
