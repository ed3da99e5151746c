// Applies baselines to results: a listed deviation that still occurs becomes `xfail`, one that is gone `xpass`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Restores the statuses from before any baseline.
void forget_baselines(Document& document);

// Changes the statuses of the document as the baselines say. `today`: as 2027-06-30. Returns every mismatch, a sentence
// each: stale, expired and unknown lines, and listed cases that were not judged. Lines about cases that were not
// selected, and about libraries and versions that the document does not have, are ignored.
[[nodiscard]] std::vector<std::string> apply_baselines(std::span<const Baseline> baselines, Document& document,
                                                       const std::string& today);

}  // namespace dlspec::conformance
