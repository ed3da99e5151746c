// What several runs of one library found, version by version. Internal to this room.
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

// Versions of one library, by bit: the first one is the earliest.
using VersionSet = std::uint64_t;

// What was seen of one rule in one case.
struct Seen {
  std::string case_id;
  std::map<std::pair<Verdict, std::string>, VersionSet> deviations;  // by status and observation
  VersionSet recorded = 0;                                           // the versions that have a record of it
};

struct LibraryResults {
  std::string name;
  std::vector<std::string> versions;  // ascending
  std::vector<SubjectKind> kinds;
  std::map<RuleId, std::vector<Seen>> rules;  // cases in the order of their documents

  [[nodiscard]] VersionSet all_versions() const;
  // Those of them that the bounds are about.
  [[nodiscard]] VersionSet within(const VersionBounds& bounds) const;
};

// Cases of this dlspec that decide the rule for such a library, whether they were run or not; those that match the
// glob.
[[nodiscard]] std::vector<std::string> planned_cases(const LibraryResults& library, RuleId id, const std::string& glob);

// Libraries in the order of the documents, or a sentence that says why they cannot be read as one.
struct GatheredResults {
  std::vector<LibraryResults> libraries;
  std::string error;
};
[[nodiscard]] GatheredResults gather_results(std::span<const NamedDocument> documents);

// Deviations of one rule that are to be one line, or as many lines as their cases need globs.
struct LineGroup {
  RuleId rule{};
  Verdict status = Verdict::fail;
  std::optional<std::string> observed;
  VersionSet versions = 0;                 // a run without gaps
  const AcceptedDeviation* old = nullptr;  // the line that has accepted them so far
  std::vector<std::string> cases;
};
// What is to be accepted, in the order of rules and cases. `old`: the lines about this library and its versions.
[[nodiscard]] std::vector<LineGroup> group_deviations(const LibraryResults& library,
                                                      const std::vector<const AcceptedDeviation*>& old);

}  // namespace dlspec::conformance
