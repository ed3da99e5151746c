// Makes a baseline that accepts the deviations of results: the work of `dlspec baseline update`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

struct UpdatedBaseline {
  std::optional<Baseline> baseline;
  std::size_t added = 0;           // lines that were not there
  std::size_t dropped = 0;         // lines whose deviation no longer occurs
  std::size_t without_reason = 0;  // lines that nobody has explained yet
  std::string error;               // a sentence, when there is no baseline
};

// Lists every deviation of these documents in few lines. A line of `old` whose deviation still occurs keeps its reason,
// comments, expiry, bounds and `any`; a changed deviation inherits the reason of its rule. Lines about libraries,
// versions and cases that the documents do not have stay as they are.
[[nodiscard]] UpdatedBaseline update_baseline(const Baseline& old, std::span<const NamedDocument> documents);

}  // namespace dlspec::conformance
