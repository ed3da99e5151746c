#include <dlspec/conformance/baseline/update.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

#include <dlspec/conformance/baseline/apply.h>
#include <dlspec/conformance/baseline/deviations.h>
#include <dlspec/conformance/baseline/fold.h>

namespace dlspec::conformance {
namespace {

const std::vector<std::string> usual_head = {
    "# Deviations that are known and accepted: `dlspec run --baseline` tells them from new ones.",
    "# `dlspec baseline update` keeps this file; the reasons are written by hand."};

// What ends a run of versions: it holds for the last one of them and not for the next. Mostly <NEXT; that leaves out
// the pre-releases of NEXT, and a local build of the same version is told by its name alone.
VersionBounds::Condition end_between(const std::string& last, const std::string& next) {
  const VersionBounds::Condition candidates[] = {{VersionBounds::Operator::less, public_version(next)},
                                                 {VersionBounds::Operator::at_most, public_version(last)},
                                                 {VersionBounds::Operator::unequal, next}};
  const auto* const found = std::find_if(std::begin(candidates), std::end(candidates), [&](const auto& each) {
    const VersionBounds bounds{{each}};
    return is_version(each.version) && bounds.hold(last) && !bounds.hold(next);
  });
  return found != std::end(candidates) ? *found : candidates[0];
}

// From the first to the last version of the set, as bounds: none at an end where no other version was looked at, or
// where the text of the library's version begins with no version.
VersionBounds bounds_of(const LibraryResults& library, VersionSet versions) {
  VersionBounds bounds;
  const auto add = [&](VersionBounds::Condition condition) {
    if (is_version(condition.version)) bounds.conditions.push_back(std::move(condition));
  };
  for (std::size_t i = 1; i < library.versions.size(); ++i) {
    const bool is_in = (versions >> i & 1) != 0;
    const bool before = (versions >> (i - 1) & 1) != 0;
    if (is_in && !before) add({VersionBounds::Operator::at_least, public_version(library.versions[i])});
    if (!is_in && before) add(end_between(library.versions[i - 1], library.versions[i]));
  }
  return bounds;
}

// Every other case that decides the rule, of the results and of the plan: a glob must not accept a case that was not
// run.
std::vector<std::string> other_cases(const LibraryResults& library, const LineGroup& group) {
  std::vector<std::string> others = planned_cases(library, group.rule, "*");
  std::set<std::string> known(group.cases.begin(), group.cases.end());
  std::erase_if(others, [&](const std::string& case_id) { return !known.insert(case_id).second; });
  const auto found = library.rules.find(group.rule);
  if (found == library.rules.end()) return others;
  for (const CaseResults& seen : found->second) {
    if (known.insert(seen.case_id).second) others.push_back(seen.case_id);
  }
  return others;
}

bool matches_exactly(const std::string& glob, const std::vector<std::string>& wanted,
                     const std::vector<std::string>& others) {
  const auto matched = [&](const std::string& id) { return glob_match(glob, id); };
  return std::all_of(wanted.begin(), wanted.end(), matched) && std::none_of(others.begin(), others.end(), matched);
}

std::vector<std::string> globs_of(const LibraryResults& library, const LineGroup& group) {
  const std::vector<std::string> others = other_cases(library, group);
  if (group.old != nullptr && matches_exactly(group.old->cases, group.cases, others)) return {group.old->cases};
  return fold_cases(group.cases, others);
}

// The old line that lends a new deviation its reason: about the same rule, and the same cases where there is one.
const AcceptedDeviation* relative_of(const LineGroup& group, const std::vector<const AcceptedDeviation*>& old) {
  const AcceptedDeviation* relative = nullptr;
  for (const AcceptedDeviation* line : old) {
    if (line->rule != rule(group.rule).id) continue;
    if (relative == nullptr) relative = line;
    if (glob_match(line->cases, group.cases.front())) return line;
  }
  return relative;
}

// The index of the first result that the line lists; lines about cases without a result come last.
std::size_t place_of(const LibraryResults& library, const AcceptedDeviation& line) {
  const Rule* const row = find_rule(line.rule);
  const auto cases = row != nullptr ? library.rules.find(row->rule) : library.rules.end();
  if (cases == library.rules.end()) return SIZE_MAX;
  const auto found = std::find_if(cases->second.begin(), cases->second.end(),
                                  [&](const CaseResults& seen) { return glob_match(line.cases, seen.case_id); });
  return static_cast<std::size_t>(found - cases->second.begin());
}

// Orders by rule, then by case: an update moves no line that it does not change.
void put_in_order(const LibraryResults& library, std::vector<AcceptedDeviation>& lines) {
  std::vector<std::tuple<RuleId, std::size_t, AcceptedDeviation>> placed;
  for (AcceptedDeviation& line : lines) {
    const RuleId id = find_rule(line.rule)->rule;
    const std::size_t place = place_of(library, line);
    placed.emplace_back(id, place, std::move(line));
  }
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  lines.clear();
  for (auto& entry : placed) lines.push_back(std::move(std::get<2>(entry)));
}

class Update {
 public:
  Update(const Baseline& old, std::span<const LibraryResults> libraries) : old_(old) {
    Baseline fresh = old;
    fresh.lines.clear();
    result_.baseline = std::move(fresh);
    for (const std::string& name : old.libraries) {
      const auto found =
          std::find_if(libraries.begin(), libraries.end(), [&](auto& each) { return each.name == name; });
      if (found != libraries.end()) {
        judge(*found);
      } else {
        keep(name);
      }
    }
    for (const LibraryResults& library : libraries) {
      auto& known = result_.baseline->libraries;
      if (std::find(known.begin(), known.end(), library.name) != known.end()) continue;
      known.push_back(library.name);
      judge(library);
    }
  }

  UpdatedBaseline take() {
    for (const AcceptedDeviation& line : result_.baseline->lines) {
      if (line.reason.empty()) ++result_.without_reason;
    }
    return std::move(result_);
  }

 private:
  void keep(const std::string& library) {
    std::copy_if(old_.lines.begin(), old_.lines.end(), std::back_inserter(result_.baseline->lines),
                 [&](const AcceptedDeviation& line) { return line.library == library; });
  }

  void judge(const LibraryResults& library) {
    std::vector<const AcceptedDeviation*> judged;
    for (const AcceptedDeviation& line : old_.lines) {
      if (line.library == library.name && library.within(line.versions) != 0) judged.push_back(&line);
    }
    std::set<const AcceptedDeviation*> used;
    std::vector<AcceptedDeviation> lines;
    for (const LineGroup& group : group_deviations(library, judged)) {
      for (const std::string& glob : globs_of(library, group)) {
        lines.push_back(line_of(library, group, glob, judged, used));
      }
    }
    put_in_order(library, lines);
    std::move(lines.begin(), lines.end(), std::back_inserter(result_.baseline->lines));
    for (const AcceptedDeviation& line : old_.lines) {
      if (line.library == library.name && library.within(line.versions) == 0) result_.baseline->lines.push_back(line);
    }
    result_.dropped += judged.size() - used.size();
  }

  AcceptedDeviation line_of(const LibraryResults& library, const LineGroup& group, const std::string& glob,
                            const std::vector<const AcceptedDeviation*>& judged,
                            std::set<const AcceptedDeviation*>& used) {
    AcceptedDeviation line;
    if (group.old != nullptr) {
      line = *group.old;
      if (!used.insert(group.old).second) line.comments.clear();  // the first line of the group has them
    } else {
      ++result_.added;
      if (const AcceptedDeviation* relative = relative_of(group, judged)) line.reason = relative->reason;
    }
    line.library = library.name;
    line.rule = rule(group.rule).id;
    line.cases = glob;
    line.status = group.status;
    line.observed = group.observed;
    line.number = 0;
    const bool bounds_say_it = group.old != nullptr && library.within(group.old->versions) == group.versions;
    if (!bounds_say_it) line.versions = bounds_of(library, group.versions);
    return line;
  }

  const Baseline& old_;
  UpdatedBaseline result_;
};

}  // namespace

UpdatedBaseline update_baseline(const Baseline& old, std::span<const NamedDocument> documents) {
  std::vector<NamedDocument> plain(documents.begin(), documents.end());
  Baseline start = old;
  start.made_by.clear();
  for (NamedDocument& input : plain) {
    forget_baselines(input.document);
    const std::string& version = input.document.version;
    if (start.made_by.empty() || compare_versions(version, start.made_by) < 0) start.made_by = version;
  }
  if (start.libraries.empty() && start.head.empty()) start.head = usual_head;
  const GatheredResults gathered = gather_results(plain);
  if (!gathered.error.empty()) return {std::nullopt, 0, 0, 0, gathered.error};
  return Update(start, gathered.libraries).take();
}

}  // namespace dlspec::conformance
