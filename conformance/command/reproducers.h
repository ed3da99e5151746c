// dlspec run --emit-reproducer: a script for each rule that failed.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/subject/resources.h>

#include "results.h"

namespace dlspec::command {

struct Emitted {
  std::string error;    // a sentence; then nothing was written
  std::string summary;  // what was written, for the console
};

// Of each subject, role and rule that failed the first case that a script can show, into the new folder
// `options.reproducers`.
[[nodiscard]] Emitted emit_reproducers(const conformance::Document& document, const std::vector<Outcome>& outcomes,
                                       const RunOptions& options, const conformance::Resources& resources);

}  // namespace dlspec::command
