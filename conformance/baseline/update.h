// A baseline that accepts what results show: what `dlspec baseline update` writes.
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
  std::size_t dropped = 0;         // lines whose deviation is gone
  std::size_t without_reason = 0;  // lines that nobody has explained yet
  std::string error;               // a sentence, when there is no baseline
};

// Every deviation of these documents, as few lines. Of the lines of `old`, those about what still occurs keep their
// words: reason, comments, expiry, bound and `any`; a deviation that changed inherits the reason of its rule. Lines
// about libraries, versions and cases that the documents do not have stay as they are.
[[nodiscard]] UpdatedBaseline update_baseline(const Baseline& old, std::span<const NamedDocument> documents);

}  // namespace dlspec::conformance
