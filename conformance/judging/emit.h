// dlspec run --emit-reproducer: a script for each rule that failed.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/subject/resources.h>

#include <dlspec/conformance/judging/run_document.h>

namespace dlspec::conformance {

struct Emitted {
  std::string error;    // a sentence; if set, nothing was written
  std::string summary;  // one line for the console
};

// Writes one script per failed combination of subject, role and rule, for its first case that a script can show, into
// the new folder `options.reproducers`.
[[nodiscard]] Emitted emit_reproducers(const Document& document, const std::vector<SubjectRun>& runs,
                                       const JudgingOptions& options, const Resources& resources);

}  // namespace dlspec::conformance
