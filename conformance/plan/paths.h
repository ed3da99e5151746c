// The paths of exchanges: the factors of paths.def, and the cases that path_rows.def chose from them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/plan/covering.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {

// A case of path_rows.def.
struct PathRow {
  bool native = false;  // for the native worker; else for the Python worker
  Role role = Role::producer;
  const char* dtype = "";
  const char* layout = "";
  std::string variant;  // "path:copy=true+before=refusal": the levels that are not defaults; "path:ordinary"
};
[[nodiscard]] std::span<const PathRow> path_rows();

// The rules that every path of a role decides, in a row as of variants.def.
[[nodiscard]] std::span<const Variant> path_variants();
[[nodiscard]] const Variant& path_variant(bool native, Role role);
// "copy=true" and "before=refusal" of "path:copy=true+before=refusal"; none of "path:ordinary" and of what is no path.
[[nodiscard]] std::vector<std::string_view> path_levels(std::string_view variant);
// True for a path that tries no stimulus.
[[nodiscard]] bool is_exchange_path(std::string_view variant);
// The variant of variants.def that a case of a path tries, as its name says; empty: an exchange.
[[nodiscard]] std::string_view stimulus_of(std::string_view variant);
// The rules that this row decides: those of its stimulus, where it has one.
[[nodiscard]] const Variant& path_variant(const PathRow& row);

// The factors that a worker knows for a role: dtype, layout, and those of paths.def. Made once.
[[nodiscard]] const CoveringModel& path_model(bool native, Role role);

// A row of the table as a row of the model; empty where a name is no level of it.
[[nodiscard]] CoveringRow covering_row(const CoveringModel& model, const PathRow& row);

// What stands in path_rows.def for a row of the model.
[[nodiscard]] std::string path_row_text(const CoveringModel& model, const CoveringRow& row, bool native, Role role);

}  // namespace dlspec::conformance
