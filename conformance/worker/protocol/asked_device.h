// How a worker is told which GPU the subject's arrays lie on: by its environment.
#pragma once

#include <string>

namespace dlspec::conformance {

// "cuda:0"; without it the arrays lie on the host. dlspec_worker/cuda/machine.py and adapters read it, too.
inline constexpr const char* asked_device_variable = "DLSPEC_DEVICE";

[[nodiscard]] inline std::string asked_device_setting(int ordinal) {
  std::string setting(asked_device_variable);
  setting += "=cuda:";
  return setting += std::to_string(ordinal);
}

}  // namespace dlspec::conformance
