#include <dlspec/conformance/selfcheck/zoo/exhibits.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/deviations/deviations.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/reference/testing/faulty.h>

namespace dlspec::conformance {
namespace {

constexpr ExhibitRow rows[] = {
#define DLSPEC_EXHIBIT(rule, role, name, twin) {RuleId::rule, Role::role, name, twin},
#define DLSPEC_MASK(...)
#include "exhibits_python.def"

#include <dlspec/conformance/selfcheck/zoo/exhibits.def>
#undef DLSPEC_EXHIBIT
#undef DLSPEC_MASK
};

// The first row is there for compilers that know no empty array.
constexpr ExhibitMask masks[] = {
    {"", RuleId{}, ""},
#define DLSPEC_EXHIBIT(...)
#define DLSPEC_MASK(name, rule, reason) {name, RuleId::rule, reason},
#include <dlspec/conformance/selfcheck/zoo/exhibits.def>
#undef DLSPEC_EXHIBIT
#undef DLSPEC_MASK
};

// All but most paths, sequences, and dtypes in other layouts than C order. Of the paths a sixth, of those that
// try a stimulus an eighth; of elements narrower than a byte in other ranks, and of extreme values, a quarter.
bool is_sampled(const Case& work) {
  if (work.variant.starts_with("sequence=")) return false;   // they report what the other cases do, after some step
  const std::vector<const char*>& narrow = narrow_dtypes();  // packed ones have variants of their own
  const bool packed = std::find(narrow.begin(), narrow.end(), work.dtype) != narrow.end();
  if (work.layout != "c" && work.dtype != "float32" && !packed) return false;
  const bool is_of_other_rank = work.layout == "rank3" || work.layout == "scalar" || work.layout == "empty";
  const bool is_rare = (packed && is_of_other_rank) || work.variant.starts_with("extreme-values");
  if (is_rare && work.dtype != "float32" && shard_of(work.id, 4) != 1) return false;
  const std::uint32_t parts = stimulus_of(work.variant).empty() ? 6 : 8;
  return !work.variant.starts_with("path:") || shard_of(work.id, parts) == 1;
}

// Whether a path has a level that none before it has had: each takes part.
bool meets_a_level(const Case& work, std::set<std::string, std::less<>>& met) {
  bool is_new = work.variant == "path:ordinary" && met.insert(work.variant).second;
  for (const std::string_view level : path_levels(work.variant)) is_new |= met.emplace(level).second;
  return is_new;
}

}  // namespace

std::span<const ExhibitRow> exhibits() { return rows; }

std::span<const ExhibitMask> exhibit_masks() { return std::span(masks).subspan(1); }

std::vector<Case> sample_plan(SubjectKind kind, Role role, bool has_device) {
  Selection selection;
  if (has_device) selection = everywhere(selection).back();
  selection.kind = kind;
  selection.roles = {role};
  std::vector<Case> cases = make_plan(selection);
  std::set<std::string, std::less<>> met;
  std::erase_if(cases, [&](const Case& work) {
    const bool is_first = meets_a_level(work, met);
    return !is_first && !is_sampled(work);
  });
  return cases;
}

namespace {

// Variants that repeat an exchange hundreds of times, or make a large array: a few cases that take half of the time.
bool is_lengthy(std::string_view variant) {
  return matches_globs("many-* race large large=* refusals-kept rank=*", variant);
}

}  // namespace

bool is_asked_first(const Case& work, std::string_view subject) {
  constexpr std::uint32_t parts = 5;  // has no factor in common with the parts of which the sample is one
  if (!work.variant.starts_with("path:") && !is_lengthy(work.variant)) return true;
  return shard_of(fmt::format("{} {}", subject, work.id), parts) == 1;
}

std::vector<RuleId> shown_rules() {
  std::vector<RuleId> shown;
  for (const ExhibitRow& row : exhibits()) shown.push_back(row.rule);
  for (const testing::FaultyRow& row : testing::faulty_table()) shown.push_back(row.rule);
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

bool is_shown(RuleId rule) {
  static const std::vector<RuleId> shown = shown_rules();
  return std::binary_search(shown.begin(), shown.end(), rule);
}

std::vector<ShownFault> shown_faults(RuleId rule) {
  std::vector<ShownFault> faults;
  for (const testing::FaultyRow& row : testing::faulty_table()) {
    if (row.rule == rule) faults.push_back({testing::row_text(row), row.base});
  }
  for (const ExhibitRow& row : exhibits()) {
    if (row.rule == rule) faults.push_back({fmt::format("{} ({})", row.name, role_name(row.role)), row.twin});
  }
  return faults;
}

RuleEvidence evidence_of(const Rule& row) {
  RuleEvidence evidence{shown_faults(row.rule), {}};
  for (const Deviation& deviation : deviations_from(row)) evidence.deviating.push_back(deviation_text(deviation));
  return evidence;
}

}  // namespace dlspec::conformance
