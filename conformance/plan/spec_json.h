// The request line that sends a case to a worker.
#pragma once

#include <cstdint>
#include <string>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

// {"case":{"n":…,"id":…,"role":…,"dtype":…,"layout":…,"variant":…,"spec":{…},"rules":[…]}} without a
// line break. The answer repeats `number` as "n".
[[nodiscard]] std::string case_request(const Case& work, std::uint64_t number);

}  // namespace dlspec::conformance
