// The baselines that are named on the command line.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

// The baselines of --baseline, or an error sentence; both empty without the option.
struct Accepted {
  std::vector<Baseline> baselines;
  std::string error;
};
[[nodiscard]] Accepted read_accepted(const std::string& option, const Resources& resources);

// Applies them to the statuses in the document and returns the mismatches, a sentence each.
[[nodiscard]] std::vector<std::string> apply_accepted(const Accepted& accepted, Document& document);

}  // namespace dlspec::conformance
