// history/faults.json as it was when dlspec was built.
#pragma once

#include <string>

namespace dlspec::conformance {

[[nodiscard]] std::string faults_json();

}  // namespace dlspec::conformance
