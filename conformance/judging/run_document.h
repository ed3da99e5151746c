// Builds the result document of a run.
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

// A document with version, seed and host, but without results.
[[nodiscard]] Document empty_document(const JudgingOptions& options, const Invocation& invocation);

// The subject as its worker described it; name, version and roles stay empty when it did not start.
[[nodiscard]] SubjectInfo subject_info(const Subject& subject, const std::string& requirement,
                                       const std::optional<Ready>& ready);

// Completes `reproduce` so that it can be pasted: the path of dlspec, and the options that affect the result.
void adapt_command(Record& record, const JudgingOptions& options, const Invocation& invocation);

// The document with the records of all runs, in their order; the runs have none afterwards.
[[nodiscard]] Document make_document(std::vector<SubjectRun>& runs, const JudgingOptions& options,
                                     const Invocation& invocation);

}  // namespace dlspec::conformance
