// The baselines that are named on the command line.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/baselines/baseline.h>
#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::command {

// What --baseline names, or a sentence; nothing at all when it is not given.
struct Accepted {
  std::vector<conformance::Baseline> baselines;
  std::string error;
};
[[nodiscard]] Accepted read_accepted(const std::string& option, const conformance::Resources& resources);

// Applies them to the document; returns where they do not fit.
[[nodiscard]] std::vector<std::string> apply_accepted(const Accepted& accepted, conformance::Document& document);

}  // namespace dlspec::command
