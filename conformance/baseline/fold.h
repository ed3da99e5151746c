// Many cases as few globs.
#pragma once

#include <string>
#include <vector>

namespace dlspec::conformance {

// Globs that match none of `others`, and each of `wanted` once; in the order of the first case that each one matches. A
// part of role/dtype/layout/variant becomes `*` or `{a,b}` where that takes in further wanted cases.
[[nodiscard]] std::vector<std::string> fold_cases(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& others);

}  // namespace dlspec::conformance
