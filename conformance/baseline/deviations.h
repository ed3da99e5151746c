// The results of several runs of one library, version by version. Internal to this room.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Versions of one library, a bit each; bit 0 is the earliest.
using VersionSet = std::uint64_t;

// The results of one rule in one case.
struct CaseResults {
  // Status and text; no text: that of one version differs from run to run.
  using Deviation = std::pair<Verdict, std::optional<std::string>>;

  std::string case_id;
  std::map<Deviation, VersionSet> deviations;
  VersionSet recorded = 0;  // the versions that have a record of it
};

struct LibraryResults {
  std::string name;
  std::vector<std::string> versions;  // ascending
  std::vector<SubjectKind> kinds;
  std::map<RuleId, std::vector<CaseResults>> rules;  // cases in the order of their documents

  [[nodiscard]] VersionSet all_versions() const;
  // Those that meet the bounds.
  [[nodiscard]] VersionSet within(const VersionBounds& bounds) const;
};

// Cases of this dlspec that decide the rule for such a library, whether they were run or not, and match the glob.
[[nodiscard]] std::vector<std::string> planned_cases(const LibraryResults& library, RuleId id, const std::string& glob);

// Libraries in the order of the documents, or a sentence that says why the documents contradict each other.
struct GatheredResults {
  std::vector<LibraryResults> libraries;
  std::string error;
};
[[nodiscard]] GatheredResults gather_results(std::span<const NamedDocument> documents);

// Deviations of one rule that become one line, or one line for each glob that their cases need.
struct LineGroup {
  RuleId rule{};
  Verdict status = Verdict::fail;
  std::optional<std::string> observed;
  VersionSet versions = 0;                 // consecutive ones
  const AcceptedDeviation* old = nullptr;  // the line that has accepted them so far
  std::vector<std::string> cases;
};
// The deviations to accept, in the order of rules and cases. `old`: the lines about this library and its versions.
[[nodiscard]] std::vector<LineGroup> group_deviations(const LibraryResults& library,
                                                      const std::vector<const AcceptedDeviation*>& old);

}  // namespace dlspec::conformance
