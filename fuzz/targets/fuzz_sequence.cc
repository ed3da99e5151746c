// Texts of sequences: a text that is understood is printed as one that is understood as the same.
#include <dlspec/conformance/plan/sequence.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  const auto read = parse_sequence(dlspec::fuzz::text_of(data, size));
  if (!read) return 0;
  const std::string printed = sequence_text(*read);
  const auto again = parse_sequence(printed);
  if (!again || *again != *read) dlspec::fuzz::expect_same("a sequence", printed, again ? sequence_text(*again) : "");
  return 0;
}
