// Layouts and paths that are drawn, so that arrays are tried that no list thought of: axes in any order, with gaps,
// backwards or repeated, far from or at the begin of their memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence_generator.h>

namespace dlspec::conformance {

// The layout of a name such as "drawn17", the same in every run: of 2 to 64 elements on up to 12 axes; every fourth
// from 160 on of up to 2,200 elements on two or three axes. Its addresses span about 4,096 elements at most. nullptr
// for other names. Lives as long as the program; may be called from any thread.
[[nodiscard]] const LayoutRow* drawn_layout(std::string_view name);

// The name of the layout of layouts.def with which the tables say what a drawn one may be combined: "sliced", or
// "broadcast_offset" for one with repeated elements; "wide_strided" and "wide_broadcast" for those of more elements.
// Any other layout: itself.
[[nodiscard]] const char* table_layout(const LayoutRow& layout);

// A path on each of the first 240 layouts that are drawn, of the levels of two others; from 160 on every second is of a
// dtype that is drawn, too (drawn_dtypes.h). 1,600 for a thorough run. The same in every run. None for roles without
// paths.
[[nodiscard]] std::span<const PathRow> drawn_rows(bool native, Role role, bool thorough);

// A permutation of 0 to rank - 1: the axes from the innermost to the outermost. A third are row-major, a third have two
// neighbours exchanged, and a third are shuffled.
[[nodiscard]] std::vector<std::size_t> draw_order(SequenceRandom& random, std::size_t rank);

}  // namespace dlspec::conformance
