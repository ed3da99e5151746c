// Both validators on any struct that a string of bytes decodes to: they must agree, finding by finding.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "field_mutator.h"

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/reference/testing/decoder.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const dlspec::testing::DecodedTensor decoded({data, size});
  const std::string difference = dlspec::optimized::testing::disagreement(decoded.exported(), decoded.origin());
  if (difference.empty()) return 0;
  std::fprintf(stderr, "the validators differ\n%s", difference.c_str());
  std::abort();
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  const dlspec::testing::DecodedTensor decoded(bytes, &listener);
})
