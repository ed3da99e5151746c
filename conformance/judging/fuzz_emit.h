// dlspec fuzz --emit-reproducer: a script for each finding.
#pragma once

#include <dlspec/conformance/judging/emit.h>
#include <dlspec/conformance/judging/fuzz.h>

namespace dlspec::conformance {

// Writes one script per finding into the new folder `options.reproducers`. `document` is that of the findings.
[[nodiscard]] Emitted emit_sequences(const FuzzResult& result, const Document& document, const SubjectRun& run,
                                     const JudgingOptions& options, const Resources& resources);

}  // namespace dlspec::conformance
