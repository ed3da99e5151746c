// Every engine and the reference on any rearrangement that a string of bytes decodes to: they must write the same
// elements, and nothing else. libFuzzer tries one way per input, which a byte chooses: all of them take ten times as
// long. Ways of many threads: fuzz_threads.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "effort.h"
#include "field_mutator.h"

#include <dlspec/optimized/testing/decode_pair.h>
#include <dlspec/optimized/testing/rearranger.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::optimized::testing;
  static Rearranger rearranger(decoded_reach);  // memory that every input overwrites
  const DecodedPair decoded({data, size});
  const std::span<const Way> chosen = dlspec::fuzz::chosen_of(ways_of_one_thread(), decoded.way);
  const std::string difference = rearranger.difference(decoded.pair, decoded.places, chosen);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "an engine differs from the reference\n%s\n", difference.c_str());
  std::abort();
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  const dlspec::optimized::testing::DecodedPair decoded(bytes, &listener);
})
