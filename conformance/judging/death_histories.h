// Deaths of a worker that need what the library did before. Internal to judging/.
#pragma once

#include <dlspec/conformance/judging/slice.h>

namespace dlspec::conformance {

// A case at which the worker died, and which a new worker survives, may need the cases before it: memory that one of
// them wrote beyond its end is used by another. A new worker is asked the same cases in the same order. If it dies at
// the same case again, the fewest of them that suffice are looked for, and both answers in `state` name them. Two
// deaths are tried for each subject; one is enough to tell of the library.
void find_death_histories(TaskState& state, const ScheduleOptions& options);

}  // namespace dlspec::conformance
