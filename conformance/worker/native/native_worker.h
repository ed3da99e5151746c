// The worker for subjects without Python: C plug-ins, and dlspec's own producer and consumer.
#pragma once

#include <string>
#include <string_view>

#include <dlspec/plugin.h>

namespace dlspec::conformance {

// Serves the protocol on this descriptor until told to quit or until it is closed. Returns the exit
// status of the process. Runs in a process of its own: a plug-in may crash it.
int native_worker_main(int channel);

// The answer to one request of the protocol ({"case": ...}), as a line without its end. Throws
// nlohmann::json::exception or std::bad_optional_access for a request that is none.
[[nodiscard]] std::string answer_request(const DlspecPlugin& plugin, std::string_view request);

}  // namespace dlspec::conformance
