// Copies by several threads, of any rearrangement that a string of bytes decodes to: they must write the same elements
// as the reference, and nothing else. A target of its own: starting threads takes a hundred times as long as the
// copies, and their coverage differs from run to run.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "effort.h"
#include "field_mutator.h"

#include <dlspec/optimized/testing/decode_pair.h>
#include <dlspec/optimized/testing/rearranger.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::optimized::testing;
  static Rearranger rearranger(decoded_reach);  // memory that every input overwrites
  const DecodedPair decoded({data, size});
  const std::string difference =
      rearranger.difference(decoded.pair, decoded.places, dlspec::fuzz::chosen_of(ways_of_many_threads(), decoded.way));
  if (difference.empty()) return 0;
  std::fprintf(stderr, "threads differ from the reference\n%s\n", difference.c_str());
  std::abort();
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  const dlspec::optimized::testing::DecodedPair decoded(bytes, &listener);
})
