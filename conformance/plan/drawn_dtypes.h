// The dtypes of paths that are drawn, beside those of paths.def: vectors, and what few libraries have.
#pragma once

#include <string_view>

#include <dlspec/conformance/plan/contents.h>

namespace dlspec::conformance {

// Vectors of 2, 3, 4, 8 and 16 lanes, and single elements of whole bytes that no path of the table has. The names live
// as long as the program; any thread may ask.
[[nodiscard]] const PlanNames& drawn_dtypes();

// The name of this list that equals `name`; nullptr for others.
[[nodiscard]] const char* find_drawn_dtype(std::string_view name);

// The dtype of paths.def with which the tables say what a path of this one may be combined: "float32x4" for those of
// drawn_dtypes(), any other itself.
[[nodiscard]] const char* table_dtype(const char* name);

}  // namespace dlspec::conformance
