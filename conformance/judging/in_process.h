// One case in this very process, for a debugger.
#pragma once

#include <functional>
#include <string>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/choice.h>
#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>

namespace dlspec::conformance {

// What keeps these options from naming one case of one subject, as a sentence; else "".
[[nodiscard]] std::string why_not_one_case(const JudgingOptions& options, const Choice& choice);

// This process becomes the worker: for a Python subject by exec of its interpreter, for others by serving the case
// itself, so that breakpoints, signals and the terminal are the debugger's. A forked child asks the question, without
// deadline, and calls `show` with the verdict. Returns the exit status when there was no exec: that of the worker, or
// exit_unjudged.
[[nodiscard]] int run_in_process(const JudgingOptions& options, const Choice& choice, const Resources& resources,
                                 const Invocation& invocation, const Listener& listener,
                                 const std::function<void(const Document&)>& show);

}  // namespace dlspec::conformance
