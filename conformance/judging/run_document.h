// From what the workers answered to the result document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/runs.h>
#include <dlspec/conformance/subject/subject.h>
#include <dlspec/conformance/worker/protocol/messages.h>

namespace dlspec::conformance {

// A document that says by what, where and when it was made, and holds no results yet.
[[nodiscard]] Document empty_document(const JudgingOptions& options, const Invocation& invocation);

// What a worker said of its subject when it was ready; nothing known when it never was.
[[nodiscard]] SubjectInfo subject_info(const Subject& subject, const std::string& requirement,
                                       const std::optional<Ready>& ready);

// The command of a record as it can be pasted here: how dlspec was found, and the options that matter.
void adapt_command(Record& record, const JudgingOptions& options, const Invocation& invocation);

// The records of all runs, in their order.
[[nodiscard]] Document make_document(const std::vector<SubjectRun>& runs, const JudgingOptions& options,
                                     const Invocation& invocation);

}  // namespace dlspec::conformance
