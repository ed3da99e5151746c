// A baseline applied to results: what is listed and still so becomes `xfail`, what is listed and gone `xpass`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Takes back what earlier baselines made of the statuses.
void forget_baselines(Document& document);

// Changes the statuses of the document as the baselines say. `today`: as 2027-06-30. Returns where they do not fit, a
// sentence each: stale, expired and unknown lines, and cases that a line lists and that were not judged. Lines about
// cases that were not selected, and about libraries and versions that the document does not have, count for nothing.
[[nodiscard]] std::vector<std::string> apply_baselines(std::span<const Baseline> baselines, Document& document,
                                                       const std::string& today);

}  // namespace dlspec::conformance
