// Preprocessed texts of copies of dlpack.h, and what a probe may have written about them. The input is both, divided by
// a line that says "----"; every text has an answer.
#include <dlspec/conformance/header/declarations.h>
#include <dlspec/conformance/header/judge.h>
#include <dlspec/conformance/header/measured.h>
#include <dlspec/conformance/header/probe.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  const std::string_view input = dlspec::fuzz::text_of(data, size);
  const std::size_t border = input.find("\n----\n");
  Declarations declarations = declarations_of(input.substr(0, border));
  declarations.macros = dlpack_macros(input.substr(0, border));
  (void)probe_program("dlpack.h", declarations);
  const auto measured = read_measured(border == std::string_view::npos ? "" : input.substr(border + 6));
  if (measured) (void)judge_header(declarations, *measured);
  return 0;
}
