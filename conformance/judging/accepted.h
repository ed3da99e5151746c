// The baselines that are named on the command line.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

// What --baseline names, or a sentence; nothing at all when it is not given.
struct Accepted {
  std::vector<Baseline> baselines;
  std::string error;
};
[[nodiscard]] Accepted read_accepted(const std::string& option, const Resources& resources);

// Applies them to the document; returns where they do not fit.
[[nodiscard]] std::vector<std::string> apply_accepted(const Accepted& accepted, Document& document);

}  // namespace dlspec::conformance
