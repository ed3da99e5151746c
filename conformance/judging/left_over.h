// Deviations that one case left to another, which did not show them. Internal to judging/.
#pragma once

#include <dlspec/conformance/judging/slice.h>

namespace dlspec::conformance {

// A path leaves a deviation that shows on an ordinary exchange, too, to the case of that exchange. Where no case
// reports it, something that happened earlier in the worker brought it about: a library may never be the same again
// after a refusal. Such a path is asked again as the first case of a new worker, which is its second answer in `state`.
// At most six paths are tried for one rule, those with a history of their own first, and 24 in all.
void ask_left_over(TaskState& state, const ScheduleOptions& options);

}  // namespace dlspec::conformance
