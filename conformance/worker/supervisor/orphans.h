// Processes that a child of ours left behind. Internal to this room.
#pragma once

#include <string>

namespace dlspec::conformance {

// Kills, in rounds until none is left, our own children (orphans that we adopted) whose environment
// holds `mark`. The child itself has been waited for already.
void kill_orphans(const std::string& mark);

}  // namespace dlspec::conformance
