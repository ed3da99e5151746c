// Checks that a run reports exactly what was planned: one record for every rule of every case, even if workers die.
#pragma once

#include <span>
#include <string>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

// Describes the first difference between the plan and the records, as a sentence part; "" when there is none. A
// difference is a bug in dlspec.
[[nodiscard]] std::string plan_mismatch(std::span<const Case> planned, std::span<const Record> records);

}  // namespace dlspec::conformance
