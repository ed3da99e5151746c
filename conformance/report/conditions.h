// What the cases that show a deviation have in common, as a sentence.
#pragma once

#include <string>

#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

// "all 38 such cases: only byte_offset != 0, all 15 dtypes, versioned and legacy", from the records that deviate and
// all records of the same rule that were judged, these included. What follows "only" holds for each that deviates and
// not for some that do not; of several conditions that say so, those that leave the fewest others. A condition says
// what was seen, and never why.
[[nodiscard]] std::string shared_conditions(const Records& deviating, const Records& judged);

}  // namespace dlspec::conformance
