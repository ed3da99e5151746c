// The cases of exchanges between two subjects, from exchanges.def.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

// The cases whose id, "exchange/DTYPE/LAYOUT/VARIANT", matches `cases` (globs.h), plain ones first. Every pair of
// subjects gets the same cases. `seed` determines the contents.
[[nodiscard]] std::vector<Case> make_exchange_plan(const std::string& cases, std::uint64_t seed);

}  // namespace dlspec::conformance
