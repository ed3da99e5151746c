// Baseline files of any bytes: refused with a sentence, or read, and written as a text that is read back as the same.
#include <dlspec/conformance/baseline/baseline.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  const ReadBaseline read = parse_baseline(dlspec::fuzz::text_of(data, size), "input");
  if (!read.baseline) {
    if (read.error.empty()) std::abort();
    return 0;
  }
  const std::string written = write_baseline(*read.baseline);
  const ReadBaseline again = parse_baseline(written, "written");
  dlspec::fuzz::expect_same("a baseline", written, again.baseline ? write_baseline(*again.baseline) : again.error);
  return 0;
}
