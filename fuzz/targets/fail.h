// How a target reports what should never be: a sentence, and an end that the engine takes for a crash. Internal to
// fuzz/.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace dlspec::fuzz {

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace dlspec::fuzz
