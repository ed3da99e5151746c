// Any string of bytes as a rearrangement: what the fuzzer feeds to the engines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/optimized/testing/rearranger.h>

namespace dlspec::optimized::testing {

// The most bytes that a side of a decoded pair reaches over.
inline constexpr std::size_t decoded_reach = std::size_t{1} << 18;

// Total: every string gives a pair of at most 16 KiB and a placement; a longer string says more, and low bytes say
// ordinary things. Strides lie in any order and direction, with gaps or without, repeat or overlap, those of the
// destination too.
struct DecodedPair {
  explicit DecodedPair(std::span<const std::uint8_t> bytes);

  Pair pair;
  std::vector<Placement> places;  // one
};

}  // namespace dlspec::optimized::testing
