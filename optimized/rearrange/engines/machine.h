// The parameters of a processor that kernel selection depends on.
#pragma once

#include <cstdint>

namespace dlspec::optimized {

struct Machine {
  // bytes of data that a core can keep in each cache; of a shared one all of it
  std::int64_t l1 = 32 << 10;
  std::int64_t l2 = 1 << 20;
  std::int64_t l3 = 32 << 20;
};

// "l1=48K,l2=2M,l3=32M": the sizes of `machine` that the text names. False, and no size changes, if it is anything
// else.
[[nodiscard]] bool read_machine(const char* text, Machine& machine) noexcept;

// What the system reports; the defaults above where it reports nothing.
[[nodiscard]] Machine detected_machine() noexcept;

}  // namespace dlspec::optimized
