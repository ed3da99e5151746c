// Describes many cases by few globs.
#pragma once

#include <string>
#include <vector>

namespace dlspec::conformance {

// Globs of which exactly one matches each case of `wanted`, and none a case of `others`; in the order of the first case
// that each one matches. A part of role/dtype/layout/variant becomes `*` or `{a,b}` where that adds wanted cases.
[[nodiscard]] std::vector<std::string> fold_cases(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& others);

}  // namespace dlspec::conformance
