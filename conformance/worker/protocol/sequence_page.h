// A file that a worker maps while it carries out sequences, and what is left of it when it dies.
#pragma once

#include <array>
#include <cstdint>

namespace dlspec::conformance {

struct SequencePage {
  std::int64_t index = 0;              // of the sequence
  std::int64_t step = 0;               // in it
  std::array<char, 4080> functions{};  // that were running at its death: a line each, the innermost first
};
static_assert(sizeof(SequencePage) == 4096);

}  // namespace dlspec::conformance
