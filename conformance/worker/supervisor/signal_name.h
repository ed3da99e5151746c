// Names of signals. glibc has a function for them since 2.32 only, and other C libraries have none.
#pragma once

#include <string>

namespace dlspec::conformance {

// "SIGSEGV"; "signal 35" for one without a name.
[[nodiscard]] std::string signal_name(int number);

}  // namespace dlspec::conformance
