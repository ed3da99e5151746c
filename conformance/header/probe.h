// A small program that includes a dlpack.h and writes down what the compiler makes of it.
#pragma once

#include <string>

#include <dlspec/conformance/header/declarations.h>

namespace dlspec::conformance {

// Its text, as C and as C++. Asks only for what the header declares, so that it compiles whatever is missing. The
// program writes its lines (measured.h) into the file that its first argument names.
[[nodiscard]] std::string probe_program(const std::string& header, const Declarations& declarations);

// A program that only includes the header.
[[nodiscard]] std::string including_program(const std::string& header);

}  // namespace dlspec::conformance
