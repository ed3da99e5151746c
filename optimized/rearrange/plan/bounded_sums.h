// Which numbers are sums of bounded multiples of strides? The question behind shared bytes of two layouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// The set of all sums t[0] * stride[0] + t[1] * stride[1] + ... with 0 <= t[i] <= count[i]. Equal strides are one term,
// so that the axes that two views of one buffer have in common cost nothing.
class BoundedSums {
 public:
  // The steps of a search, after which the answer is `maybe`. Views of one buffer take fewer than 30; the question is
  // NP-hard in general.
  static constexpr int search_budget = 1 << 14;

  // Adds a term; `count` >= 0, `stride` > 0. At most 2 * max_rank terms.
  void add(Wide count, std::int64_t stride) noexcept;

  // Is a sum in [low, high]? Called once, after the last term was added.
  [[nodiscard]] Answer reach(Wide low, Wide high) noexcept;

  // How many steps the search took.
  [[nodiscard]] int steps() const noexcept { return search_budget - budget_; }

 private:
  struct Term {
    Wide count;
    std::int64_t stride;
    Wide largest;          // of all sums of this and the smaller terms
    std::int64_t divisor;  // greatest common divisor of this and the smaller strides
  };

  [[nodiscard]] Answer search(std::size_t term, Wide low, Wide high) noexcept;

  std::array<Term, 2 * max_rank> terms_;  // largest stride first
  std::size_t count_ = 0;
  int budget_ = search_budget;
};

// The smallest k >= 0 with low <= step * k mod modulus <= high, or -1 if there is none; 0 <= low <= high < modulus and
// 0 <= step < modulus. Takes as many steps as Euclid's algorithm.
[[nodiscard]] Wide first_multiple_between(Wide step, Wide modulus, Wide low, Wide high) noexcept;

}  // namespace dlspec::optimized
