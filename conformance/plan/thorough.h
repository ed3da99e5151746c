// The paths of a thorough run, beside those of path_rows.def: exchanges in which nearly every three levels meet, and
// stimuli under two circumstances at once.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <dlspec/conformance/plan/paths.h>

namespace dlspec::conformance {

// The same in every run: made from the tables alone. No row is one of path_rows().
[[nodiscard]] std::span<const PathRow> thorough_rows(bool native, Role role);

// A row of the model as a path.
[[nodiscard]] PathRow path_of_levels(const CoveringModel& model, bool native, Role role, const CoveringRow& row);

// The path that a case id names, whether some plan has it or not; nullopt where its levels are none, or exclude each
// other.
[[nodiscard]] std::optional<PathRow> path_of_id(bool native, std::string_view case_id);

}  // namespace dlspec::conformance
