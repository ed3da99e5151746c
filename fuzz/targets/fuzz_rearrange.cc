// Every engine and the reference on any rearrangement that a string of bytes decodes to: they must write the same
// elements, and nothing else.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <dlspec/optimized/testing/decode_pair.h>
#include <dlspec/optimized/testing/rearranger.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::optimized::testing;
  static Rearranger rearranger(decoded_reach);  // memory that every input overwrites
  const DecodedPair decoded({data, size});
  const std::string difference = rearranger.difference(decoded.pair, decoded.places);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "an engine differs from the reference\n%s\n", difference.c_str());
  std::abort();
}
