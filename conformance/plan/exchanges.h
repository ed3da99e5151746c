// The cases of an exchange between two subjects, from exchanges.def.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

// Those whose id, "exchange/DTYPE/LAYOUT/VARIANT", matches the glob; plain ones first. The same for every pair.
[[nodiscard]] std::vector<Case> make_exchange_plan(const std::string& cases, std::uint64_t seed);

}  // namespace dlspec::conformance
