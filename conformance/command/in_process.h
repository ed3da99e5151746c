// One case in this very process, for a debugger.
#pragma once

#include <string>

#include <dlspec/conformance/subject/environment.h>

#include "chosen.h"
#include "options.h"

namespace dlspec::command {

// What keeps these options from naming one case of one subject, as a sentence; else "".
[[nodiscard]] std::string why_not_one_case(const RunOptions& options, const Choice& choice);

// This process becomes the worker: for a Python subject by exec of its interpreter, for others by serving the case
// itself, so that breakpoints, signals and the terminal are the debugger's. A forked child asks the question, without
// deadline, and prints the verdict. Returns the exit status when there was no exec: that of the worker, or
// exit_unjudged.
[[nodiscard]] int run_in_process(const RunOptions& options, const Choice& choice,
                                 const conformance::Resources& resources,
                                 const conformance::EnvironmentOptions& environments, const std::string& invoked_as);

}  // namespace dlspec::command
