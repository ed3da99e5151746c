#include <dlspec/conformance/baseline/deviations.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t max_versions = std::numeric_limits<VersionSet>::digits;

LibraryResults& library_of(const std::string& name, std::vector<LibraryResults>& libraries) {
  const auto found = std::find_if(libraries.begin(), libraries.end(), [&](auto& each) { return each.name == name; });
  if (found != libraries.end()) return *found;
  libraries.push_back({name, {}, {}, {}});
  return libraries.back();
}

void add_version(const SubjectInfo& subject, LibraryResults& library) {
  const auto place = std::lower_bound(library.versions.begin(), library.versions.end(), subject.version,
                                      [](const std::string& a, const std::string& b) {
                                        const auto order = compare_versions(a, b);
                                        return order < 0 || (order == 0 && a < b);
                                      });
  if (place == library.versions.end() || *place != subject.version) library.versions.insert(place, subject.version);
  auto& kinds = library.kinds;
  if (std::find(kinds.begin(), kinds.end(), subject.kind) == kinds.end()) kinds.push_back(subject.kind);
}

VersionSet bit_of(const std::string& version, const LibraryResults& library) {
  const auto found = std::find(library.versions.begin(), library.versions.end(), version);
  return VersionSet{1} << (found - library.versions.begin());
}

// The index of each case among the results of its rule.
using Places = std::map<std::pair<RuleId, std::string>, std::size_t>;

// Two runs of one version: texts may differ, for a library that reads other memory than the tensor's; verdicts may not.
bool add_repeated(const Record& record, VersionSet version, CaseResults& seen) {
  const auto earlier = std::find_if(seen.deviations.begin(), seen.deviations.end(),
                                    [&](const auto& entry) { return (entry.second & version) != 0; });
  if (earlier == seen.deviations.end()) return !is_deviation(record.status);
  const auto [status, observed] = earlier->first;
  if (record.status != status) return false;
  if (!observed || *observed == clean_text(record.observed)) return true;
  earlier->second &= ~version;
  if (earlier->second == 0) seen.deviations.erase(earlier);
  seen.deviations[{status, std::nullopt}] |= version;
  return true;
}

// False when this version has another result for the same rule and case.
bool add_record(const Record& record, VersionSet version, LibraryResults& library, Places& places) {
  std::vector<CaseResults>& cases = library.rules[record.rule];
  const auto [place, is_new] = places.insert({{record.rule, record.case_id}, cases.size()});
  if (is_new) cases.push_back({record.case_id, {}, 0});
  CaseResults& seen = cases[place->second];
  if ((seen.recorded & version) != 0) return add_repeated(record, version, seen);
  seen.recorded |= version;
  if (is_deviation(record.status)) seen.deviations[{record.status, clean_text(record.observed)}] |= version;
  return true;
}

std::string add_subject(const NamedDocument& input, const SubjectInfo& subject, LibraryResults& library,
                        Places& places) {
  const VersionSet version = bit_of(subject.version, library);
  for (const Record& record : input.document.results) {
    if (record.subject != subject.subject || add_record(record, version, library, places)) continue;
    return input.file + ": " + subject.name + " " + subject.version + " has two different results for " +
           rule(record.rule).id + " in " + record.case_id + "; give one of them";
  }
  return "";
}

// The first of the lines that accepts this deviation in one of these versions.
const AcceptedDeviation* line_for(const LibraryResults& library, const std::vector<const AcceptedDeviation*>& old,
                                  RuleId id, const CaseResults& seen, const CaseResults::Deviation& what,
                                  VersionSet versions) {
  const auto found = std::find_if(old.begin(), old.end(), [&](const AcceptedDeviation* line) {
    return line->rule == rule(id).id && line->status == what.first &&
           (!line->observed || !what.second || line->observed == what.second) &&
           (library.within(line->versions) & versions) != 0 && glob_match(line->cases, seen.case_id);
  });
  return found != old.end() ? *found : nullptr;
}

// The runs of consecutive versions in a set.
std::vector<VersionSet> runs_of(VersionSet versions) {
  std::vector<VersionSet> runs;
  for (VersionSet bit = 1; bit != 0; bit <<= 1) {
    if ((versions & bit) == 0) continue;
    if (runs.empty() || (runs.back() & (bit >> 1)) == 0) runs.push_back(0);
    runs.back() |= bit;
  }
  return runs;
}

class Grouping {
 public:
  void add(RuleId id, const CaseResults::Deviation& what, VersionSet versions, const AcceptedDeviation* old,
           const std::string& case_id) {
    const auto observed = old != nullptr && !old->observed ? std::nullopt : what.second;
    const auto [place, is_new] = places_.insert({{id, what.first, observed, versions, old}, groups_.size()});
    if (is_new) groups_.push_back({id, what.first, observed, versions, old, {}});
    groups_[place->second].cases.push_back(case_id);
  }
  std::vector<LineGroup> take() {
    std::stable_sort(groups_.begin(), groups_.end(), [](auto& a, auto& b) { return a.rule < b.rule; });
    return std::move(groups_);
  }

 private:
  std::map<std::tuple<RuleId, Verdict, std::optional<std::string>, VersionSet, const AcceptedDeviation*>, std::size_t>
      places_;
  std::vector<LineGroup> groups_;
};

// Cases that a line lists and no document has: they were not selected, and stay accepted.
std::vector<std::string> untried_cases(const LibraryResults& library, const AcceptedDeviation& line, RuleId id) {
  std::set<std::string> known;
  const auto found = library.rules.find(id);
  if (found != library.rules.end()) {
    for (const CaseResults& seen : found->second) known.insert(seen.case_id);
  }
  std::vector<std::string> untried = planned_cases(library, id, line.cases);
  std::erase_if(untried, [&](const std::string& case_id) { return known.contains(case_id); });
  return untried;
}

// Every case of this kind of subject, on every device. Made once: a baseline asks it of each of its lines.
const std::vector<Case>& whole_plan(SubjectKind kind) {
  static std::mutex mutex;
  static std::map<SubjectKind, std::vector<Case>> plans;
  const std::lock_guard lock(mutex);
  const auto [plan, is_new] = plans.try_emplace(kind);
  if (!is_new) return plan->second;
  Selection selection;
  selection.kind = kind;
  for (const Selection& each : everywhere(selection)) {
    for (Case& work : make_plan(each)) plan->second.push_back(std::move(work));
  }
  return plan->second;
}

}  // namespace

VersionSet LibraryResults::all_versions() const {
  return versions.size() >= max_versions ? ~VersionSet{0} : (VersionSet{1} << versions.size()) - 1;
}

VersionSet LibraryResults::within(const VersionBounds& bounds) const {
  VersionSet set = 0;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (bounds.hold(versions[i])) set |= VersionSet{1} << i;
  }
  return set;
}

std::vector<std::string> planned_cases(const LibraryResults& library, RuleId id, const std::string& glob) {
  std::vector<std::string> cases;
  std::set<std::string> known;
  for (const SubjectKind kind : library.kinds) {
    for (const Case& work : whole_plan(kind)) {
      const bool decides = std::find(work.rules.begin(), work.rules.end(), id) != work.rules.end();
      if (decides && glob_match(glob, work.id) && known.insert(work.id).second) cases.push_back(work.id);
    }
  }
  return cases;
}

GatheredResults gather_results(std::span<const NamedDocument> documents) {
  GatheredResults gathered;
  std::map<std::string, Places> places;
  for (const NamedDocument& input : documents) {
    for (const SubjectInfo& subject : input.document.subjects) {
      if (subject.name.empty())
        return {{}, input.file + ": " + subject.subject + " was not loaded; nothing is known about it"};
      LibraryResults& library = library_of(subject.name, gathered.libraries);
      add_version(subject, library);
      if (library.versions.size() > max_versions) {
        return {{}, "more than " + std::to_string(max_versions) + " versions of " + subject.name};
      }
    }
  }
  for (const NamedDocument& input : documents) {
    for (const SubjectInfo& subject : input.document.subjects) {
      LibraryResults& library = library_of(subject.name, gathered.libraries);
      gathered.error = add_subject(input, subject, library, places[subject.name]);
      if (!gathered.error.empty()) return gathered;
    }
  }
  return gathered;
}

std::vector<LineGroup> group_deviations(const LibraryResults& library,
                                        const std::vector<const AcceptedDeviation*>& old) {
  Grouping grouping;
  for (const auto& [id, cases] : library.rules) {
    for (const CaseResults& seen : cases) {
      const VersionSet unknown = library.all_versions() & ~seen.recorded;
      for (const auto& [what, versions] : seen.deviations) {
        for (const VersionSet run : runs_of(versions | unknown)) {
          if ((run & versions) == 0) continue;
          grouping.add(id, what, run, line_for(library, old, id, seen, what, run), seen.case_id);
        }
      }
    }
  }
  for (const AcceptedDeviation* line : old) {
    const Rule* row = find_rule(line->rule);
    if (row == nullptr) continue;
    for (const std::string& untried : untried_cases(library, *line, row->rule)) {
      grouping.add(row->rule, {line->status, line->observed}, library.within(line->versions), line, untried);
    }
  }
  return grouping.take();
}

}  // namespace dlspec::conformance
