// What `dlspec header` prints.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/header/compile.h>
#include <dlspec/conformance/header/judge.h>

namespace dlspec::conformance {

// The verdict first, then findings by rule, worst first, then what the compiler remarked.
[[nodiscard]] std::string header_text(const std::string& path, const HeaderAnswer& answer,
                                      const std::vector<HeaderFinding>& findings);

}  // namespace dlspec::conformance
