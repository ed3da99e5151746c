// Layouts and paths that are drawn, so that arrays are tried that no list thought of: axes in any order, with gaps,
// backwards or repeated, far from or at the begin of their memory.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {

// The layout of a name such as "drawn17", the same in every run: of 2 to 64 elements on up to 12 axes, at addresses
// that span at most 4,096 elements. nullptr for other names. Lives as long as the program; may be called from any
// thread.
[[nodiscard]] const LayoutRow* drawn_layout(std::string_view name);

// The name of the layout of layouts.def with which the tables say what a drawn one may be combined: "sliced", or
// "broadcast_offset" for one with repeated elements. Any other layout: itself.
[[nodiscard]] const char* table_layout(const LayoutRow& layout);

// A path on each of the first layouts that are drawn, of the levels of two others; for a thorough run ten times as
// many. The same in every run. None for roles without paths.
[[nodiscard]] std::span<const PathRow> drawn_rows(bool native, Role role, bool thorough);

}  // namespace dlspec::conformance
