// Runs one case in the current process, for a debugger.
#pragma once

#include <functional>
#include <string>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/choice.h>
#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>

namespace dlspec::conformance {

// An error sentence when the options do not select exactly one case of one subject, or ask for a report; else "".
[[nodiscard]] std::string in_process_error(const JudgingOptions& options, const Choice& choice);

// Turns the current process into the worker, so that breakpoints, signals and the terminal belong to the debugger. For
// a Python subject it execs the interpreter and does not return; otherwise it serves the case itself. A forked process
// sends the case, without a deadline, and calls `show` with the verdict. Returns the exit status: that of the worker,
// or exit_unjudged.
[[nodiscard]] int run_in_process(const JudgingOptions& options, const Choice& choice, const Resources& resources,
                                 const Invocation& invocation, const Listener& listener,
                                 const std::function<void(const Document&)>& show);

}  // namespace dlspec::conformance
