// Known deviations of libraries from the rules, for `dlspec rules ID` and the documentation. No verdict depends on
// them.
#pragma once

#include <string>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

struct Deviation {
  RuleId rule{};
  std::string package;
  std::string versions;
  std::string what;
  std::string origin;      // "pytorch/pytorch#168177", "source", or "" where there is a reproducer
  std::string reproducer;  // for a fault that dlspec found: its id in history/faults.json; else ""
};

// The known deviations from the rule: first those that dlspec found, with a reproducer, then those of deviations.def.
[[nodiscard]] std::vector<Deviation> deviations_from(const Rule& rule);

// "numpy 2.4.6: <what> (found by dlspec, numpy-empty-data)".
[[nodiscard]] std::string deviation_text(const Deviation& deviation);

}  // namespace dlspec::conformance
