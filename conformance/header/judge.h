// Judges what a dlpack.h declares by the release that it says it is.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/header/declarations.h>
#include <dlspec/conformance/header/measured.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// One deviation. A rule may have several, one for each place.
struct HeaderFinding {
  RuleId rule;
  Verdict status;        // the rule's own
  std::string where;     // "DLTensor.strides", "kDLTrn", "DLPACK_VERSION"
  std::string observed;  // what the header has there, as a clause
  std::string allowed;   // what DLPack has there, as a clause
};

// The release that the header's version macros say; 0.2 stands for 0.1, too, which says the same. Where they say none
// or nothing that a release said, the release that its structs show: 1.2 with an exchange table, 1.0 with versioned
// structs, else 0.2.
[[nodiscard]] abi::Version header_release(const Measured& measured);

// All deviations: those of version macros first, then of structs, enumerators and flags, in the order of the tables.
[[nodiscard]] std::vector<HeaderFinding> judge_header(const Declarations& declarations, const Measured& measured);

}  // namespace dlspec::conformance
