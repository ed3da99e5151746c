// Planned is reported: one record for every rule of every case, whatever became of the workers.
#pragma once

#include <span>
#include <string>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

// The first place where the records are not one for each rule of each case in the order of the plan, in words; else "".
// A difference is a fault of dlspec's own.
[[nodiscard]] std::string why_not_whole(std::span<const Case> planned, std::span<const Record> records);

}  // namespace dlspec::conformance
