// Orphaned descendants of a child process. Internal to worker/supervisor.
#pragma once

#include <string>

namespace dlspec::conformance {

// Kills our children (orphans that we adopted) whose environment contains `mark`, in rounds until none is left. Call it
// after waiting for the child itself.
void kill_orphans(const std::string& mark);

}  // namespace dlspec::conformance
