// Both validators on any struct that a string of bytes decodes to: they must agree, finding by finding.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "effort.h"
#include "fail.h"
#include "field_mutator.h"

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/testing/decoder.h>

namespace {

using namespace dlspec;

// Of an input without a known source these are the findings of the reference as well.
void check_soundness(const Exported& exported) {
  const Findings findings = optimized::validate(exported);
  const bool sound =
      std::ranges::all_of(findings, [](const Finding& each) { return verdict_of(each) == Verdict::info; });
  if (optimized::is_sound(exported) != sound) fuzz::fail("is_sound() differs from the findings");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const testing::DecodedTensor decoded({data, size});
  const std::string difference = optimized::testing::disagreement(decoded.exported(), decoded.origin());
  if (!difference.empty()) {
    std::fprintf(stderr, "the validators differ\n%s", difference.c_str());
    std::abort();
  }
  if (fuzz::replaying || size % 8 == 0) check_soundness(decoded.exported());
  return 0;
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  static thread_local testing::DecodedTensor decoded({});
  decoded.decode(bytes, &listener);
})
