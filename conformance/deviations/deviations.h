// Who is known to deviate from a rule: for `dlspec rules ID` and the pages made from the tables. No verdict depends on
// it.
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
  std::string origin;      // "pytorch/pytorch#168177", "source", or "" where a reproducer shows it
  std::string reproducer;  // what dlspec found: the id in history/faults.json, else ""
};

// Those of the rule: first what dlspec found, with a reproducer, then what is known otherwise (deviations.def).
[[nodiscard]] std::vector<Deviation> deviations_from(const Rule& rule);

// "numpy 2.4.6: <what> (found by dlspec, numpy-empty-data)".
[[nodiscard]] std::string deviation_text(const Deviation& deviation);

}  // namespace dlspec::conformance
