// The contents of history/faults.json at build time.
#pragma once

#include <string>

namespace dlspec::conformance {

[[nodiscard]] std::string faults_json();

}  // namespace dlspec::conformance
