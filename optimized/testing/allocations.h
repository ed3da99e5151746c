// Counts the allocations of this program. The counting operators are in allocation_test.cc.
#pragma once

#include <atomic>
#include <cstddef>

namespace dlspec::optimized::testing {

extern std::atomic<std::size_t> allocations;

template <class Action>
std::size_t allocations_of(const Action& action) {
  const std::size_t before = allocations;
  action();
  return allocations - before;
}

}  // namespace dlspec::optimized::testing
