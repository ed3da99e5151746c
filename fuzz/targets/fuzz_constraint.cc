// Texts of layout constraints, and tensors to match with them: both parsers and both matchers must agree. An input that
// begins with "{" is one text; any other is decoded to up to three texts, most of them nearly well formed, and up to
// eight tensors.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <dlspec/optimized/testing/constraint_texts.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::optimized::testing;
  ConstraintCase operands;
  if (size > 0 && data[0] == '{') {
    operands.texts.emplace_back(reinterpret_cast<const char*>(data), size);
    operands.tensors = {{dlspec::infini_F32, {{2, 3, 4}, {12, 4, 1}}},
                        {dlspec::infini_F16, {}},
                        {dlspec::infini_F32, {{3, 0}, {7, -1}}},
                        {dlspec::infini_F32, {{2, 1}, {1, 9}}},
                        {dlspec::infini_BF16, {{5}, {1}}}};
  } else {
    operands = decode_constraint_case({data, size});
  }
  const std::string difference = constraint_disagreement(operands.texts, operands.tensors);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "layout constraints: %s\n", difference.c_str());
  std::abort();
}
