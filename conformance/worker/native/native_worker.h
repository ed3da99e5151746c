// The worker for subjects without Python: C plug-ins, and dlspec's own producer and consumer.
#pragma once

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

// Serves the protocol on this descriptor until told to quit or until it is closed. Returns the exit
// status of the process. Runs in a process of its own: a plug-in may crash it.
int native_worker_main(int channel);

// Carries one case out. Only rules of the case are answered.
[[nodiscard]] Answer answer_case(const DlspecPlugin& plugin, const Case& work);

}  // namespace dlspec::conformance
