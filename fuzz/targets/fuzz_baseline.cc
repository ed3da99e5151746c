// Baseline files of any bytes: refused with a sentence, or read, and written as a text that is read back as the same.
#include <dlspec/conformance/baseline/baseline.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  dlspec::fuzz::read_twice("a baseline", dlspec::fuzz::text_of(data, size), parse_baseline, &ReadBaseline::baseline,
                           write_baseline);
  return 0;
}
