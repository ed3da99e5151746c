// Asks a C compiler what a dlpack.h declares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/header/declarations.h>
#include <dlspec/conformance/header/measured.h>

namespace dlspec::conformance {

struct HeaderOrder {
  std::string path;                      // the header
  std::string compiler;                  // a program; empty: $CC, else the first of cc, gcc, clang on PATH
  std::vector<std::string> directories;  // where the header finds what it includes
};

struct HeaderAnswer {
  std::string error;   // a sentence part when the header could not be asked; then nothing else is set
  std::string detail;  // what the compiler said, if `error` is of its making
  std::string compiler;
  std::string language;  // the language that the sizes were taken in: "C", or "C++" for a header of C++ alone
  Declarations declarations;
  Measured measured;
  std::vector<std::string> remarks;  // warnings and errors as strict C99 and C++17, a line each
};

// Compiles small programs that include the header in a temporary folder, which is removed, and runs one of them. Each
// may take a minute. Not thread-safe where the environment changes meanwhile.
[[nodiscard]] HeaderAnswer ask_compiler(const HeaderOrder& order);

}  // namespace dlspec::conformance
