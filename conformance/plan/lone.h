// Paths with one level alone that is no default. Where two levels meet, one can hide what the other shows: a legacy
// struct cannot say that it is read-only, whatever else was asked.
#pragma once

#include <span>

#include <dlspec/conformance/plan/paths.h>

namespace dlspec::conformance {

// Every level, but for those of dtype, layout and stimulus, on an array with gaps and on a read-only one, where no row
// of path_rows() has it alone. The same in every run.
[[nodiscard]] std::span<const PathRow> lone_rows(bool native, Role role);

}  // namespace dlspec::conformance
