// One copy by descriptors, with everything that can be seen of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::conformance {

// How a copy went.
struct Copied {
  std::string problem;  // dlspec could not make an operand
  bool done = false;
  std::string reason;       // of a refusal
  std::string difference;   // between the contents and those of the source; "" when there is none
  bool gaps_intact = true;  // nothing was written beside the destination's elements
};

// The row-major layout without gaps of the same elements.
[[nodiscard]] Layout compact(const Layout& layout);

// What a destination holds before the copy: none of its bytes as they should become.
[[nodiscard]] std::vector<std::uint8_t> opposite(std::vector<std::uint8_t> contents);

// Copies elements with these contents, in C order. The source cannot be written meanwhile, and both lie before pages
// that fault.
[[nodiscard]] Copied copy(const DlspecBridge& bridge, const Layout& to, const Layout& from,
                          const std::vector<std::uint8_t>& contents, Placement placement);

// Once beside a guard and once beyond one, and amid canaries: the first copy that is not as it should be, else the
// last.
[[nodiscard]] Copied copy_everywhere(const DlspecBridge& bridge, const Layout& to, const Layout& from,
                                     const std::vector<std::uint8_t>& contents);

// How the same elements fare from compact to compact; where there are none, others.
[[nodiscard]] Copied plain_copy(const DlspecBridge& bridge, const NativeCase& asked);

}  // namespace dlspec::conformance
