// Decodes any string of bytes as a rearrangement, for the fuzzer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/reference/testing/field_reader.h>

namespace dlspec::optimized::testing {

// Maximum byte span of a side of a decoded pair.
inline constexpr std::size_t decoded_reach = std::size_t{1} << 18;

// Total: every string gives a pair of at most 16 KiB and a placement. Longer strings give more detail, and small byte
// values ordinary layouts. Strides have any order and direction, with or without gaps, broadcast or overlap, in the
// destination as well.
struct DecodedPair {
  // `listener`, if there is one, is told the fields, and may replace their bytes.
  explicit DecodedPair(std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener* listener = nullptr);

  Pair pair;
  std::vector<BufferPlacement> places;  // one
  std::uint8_t way = 0;                 // chooses one where not all are tried
};

}  // namespace dlspec::optimized::testing
