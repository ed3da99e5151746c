// A case as the line that a worker is sent.
#pragma once

#include <cstdint>
#include <string>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

// {"case":{"n":…,"id":…,"role":…,"dtype":…,"layout":…,"variant":…,"spec":{…},"rules":[…]}} without a
// line break. `number` comes back in the worker's answer.
[[nodiscard]] std::string case_request(const Case& work, std::uint64_t number);

}  // namespace dlspec::conformance
