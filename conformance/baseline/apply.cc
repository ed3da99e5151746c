#include <dlspec/conformance/baseline/apply.h>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/verdict/verdict.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t fits = 5;  // values of Fit

// One line, and the records that it matched.
struct LineUse {
  const Baseline* baseline = nullptr;
  const AcceptedDeviation* line = nullptr;
  bool applies = false;                   // the document has its library, in a version within its bounds
  std::vector<SubjectKind> kinds;         // of the subjects that it applies to
  std::array<std::size_t, fits> count{};  // records, by Fit
  std::array<std::string, fits> first{};  // the observation of the first of them
};

// All lines about one subject, by rule.
using LinesByRule = std::map<std::string_view, std::vector<LineUse*>>;

std::vector<LineUse> all_lines(std::span<const Baseline> baselines) {
  std::vector<LineUse> uses;
  for (const Baseline& baseline : baselines) {
    for (const AcceptedDeviation& line : baseline.lines) uses.push_back({&baseline, &line, false, {}, {}, {}});
  }
  return uses;
}

LinesByRule lines_about(const SubjectInfo& subject, std::vector<LineUse>& uses) {
  LinesByRule lines;
  for (LineUse& use : uses) {
    if (use.line->library != subject.name || !use.line->versions.hold(subject.version)) continue;
    use.applies = true;
    use.kinds.push_back(subject.kind);
    lines[use.line->rule].push_back(&use);
  }
  return lines;
}

// The version of dlspec that made the baseline of this library; empty when there is none.
std::string maker_for(const SubjectInfo& subject, std::span<const Baseline> baselines) {
  for (const Baseline& baseline : baselines) {
    const auto& all = baseline.libraries;
    if (std::find(all.begin(), all.end(), subject.name) != all.end()) return baseline.made_by;
  }
  return "";
}

// An observation that only one of two runs made has a prefix (see confirm), as one that was not repeated.
bool is_same_observation(const Record& record, const AcceptedDeviation& line) {
  if (!line.observed) return true;
  const std::string observed = clean_text(record.observed);
  if (record.status != Verdict::info) return observed == *line.observed;
  return std::ranges::any_of(seen_once_in, [&](std::string_view where) {
    return observed == clean_text(fmt::format("{} ({}): {}", where, verdict_name(line.status), *line.observed));
  });
}

// A line applies to paths only where it names them: what a simpler case shows is blocked on a path, so that a `*` for
// all variants would list what is not judged.
bool is_about_case(const AcceptedDeviation& line, std::string_view case_id) {
  constexpr std::string_view path = "path:";
  if (case_id.find(path) != std::string_view::npos && line.cases.find(path) == std::string::npos) return false;
  return glob_match(line.cases, case_id);
}

// A line for several cases is not about those that do not apply: a newer dlspec asks more, and not of every library.
bool is_about(const AcceptedDeviation& line, const Record& record) {
  const bool is_one_case = line.cases == record.case_id;
  if (record.status == Verdict::not_applicable && !is_one_case) return false;
  return is_about_case(line, record.case_id);
}

LineUse* line_for(const Record& record, const LinesByRule& lines) {
  const auto of_rule = lines.find(rule(record.rule).id);
  if (of_rule == lines.end()) return nullptr;
  const auto found = std::find_if(of_rule->second.begin(), of_rule->second.end(),
                                  [&](const LineUse* use) { return is_about(*use->line, record); });
  return found != of_rule->second.end() ? *found : nullptr;
}

std::string seen_text(const Record& record) {
  std::string text = std::string(verdict_name(record.status));
  if (!record.observed.empty()) text += ": " + clean_text(record.observed, 200);
  return text + " in " + record.case_id;
}

void set_status(Record& record, Verdict status, const AcceptedDeviation* line) {
  if (status == record.status) return;
  record.without_baseline = record.status;
  record.status = status;
  if (status != Verdict::xpass) return;
  record.observed = "conforms now; the baseline lists " + std::string(verdict_name(line->status));
  if (line->observed) record.observed += ": " + *line->observed;
  record.allowed = "a baseline without this line";
  record.reproduce = reproduce_command(record.subject, record.case_id, record.rule);
}

void apply_to(Record& record, const LinesByRule& lines, const std::string& maker) {
  LineUse* const use = line_for(record, lines);
  Listed listed;
  listed.newer_rule = !maker.empty() && compare_versions(rule(record.rule).since, maker) > 0;
  if (use != nullptr) {
    listed.listed = true;
    listed.status = use->line->status;
    listed.same_observation = is_same_observation(record, *use->line);
  }
  const UnderBaseline under = under_baseline(record.status, listed);
  if (use != nullptr) {
    const auto fit = static_cast<std::size_t>(under.fit);
    if (use->count[fit]++ == 0) use->first[fit] = seen_text(record);
  }
  set_status(record, under.status, use != nullptr ? use->line : nullptr);
}

// True when the line lists no case that decides its rule in this dlspec.
bool is_about_nothing(const LineUse& use) {
  const bool was_met = std::any_of(use.count.begin(), use.count.end(), [](std::size_t count) { return count > 0; });
  return !was_met && std::all_of(use.kinds.begin(), use.kinds.end(), [&](SubjectKind kind) {
    Selection selection;
    selection.kind = kind;
    selection.rules = use.line->rule;
    selection.cases = use.line->cases;
    const std::vector<Selection> both = everywhere(selection);
    return std::all_of(both.begin(), both.end(), plan_is_empty);
  });
}

void add_misfit(const LineUse& use, Fit fit, const char* what, std::vector<std::string>& misfits) {
  const std::size_t count = use.count[static_cast<std::size_t>(fit)];
  if (count == 0) return;
  const std::string more = count > 1 ? fmt::format(", and so in {} more", count - 1) : "";
  misfits.push_back(fmt::format("{}:{}: {} {}: {}{}", use.baseline->file, use.line->number, use.line->rule, what,
                                use.first[static_cast<std::size_t>(fit)], more));
}

void add_misfits(const LineUse& use, const std::string& today, std::vector<std::string>& misfits) {
  const AcceptedDeviation& line = *use.line;
  const std::string place = fmt::format("{}:{}: ", use.baseline->file, line.number);
  if (find_rule(line.rule) == nullptr) {
    misfits.push_back(place + "there is no rule " + line.rule + "; `dlspec rules` lists them");
    return;
  }
  if (!use.applies) return;
  if (!line.expires.empty() && today > line.expires) {
    misfits.push_back(place + line.rule + " expired on " + line.expires + "; look at it again, then move the day");
  }
  if (is_about_nothing(use)) {
    misfits.push_back(place + "no case that decides " + line.rule + " is called " + line.cases);
    return;
  }
  add_misfit(use, Fit::gone, "is listed and does not occur any more", misfits);
  add_misfit(use, Fit::changed, "occurs otherwise than listed", misfits);
  add_misfit(use, Fit::not_judged, "is listed and was not judged", misfits);
}

}  // namespace

void forget_baselines(Document& document) {
  for (Record& record : document.results) {
    if (!record.without_baseline) continue;
    record.status = *record.without_baseline;
    record.without_baseline.reset();
    if (record.status != Verdict::pass) continue;
    record.observed.clear();
    record.allowed.clear();
    record.reproduce.clear();
  }
}

std::vector<std::string> apply_baselines(std::span<const Baseline> baselines, Document& document,
                                         const std::string& today) {
  forget_baselines(document);
  std::vector<LineUse> uses = all_lines(baselines);
  for (const SubjectInfo& subject : document.subjects) {
    if (subject.name.empty()) continue;  // it never loaded
    const LinesByRule lines = lines_about(subject, uses);
    const std::string maker = maker_for(subject, baselines);
    for (Record& record : document.results) {
      if (record.subject == subject.subject) apply_to(record, lines, maker);
    }
  }
  std::vector<std::string> misfits;
  for (const LineUse& use : uses) add_misfits(use, today, misfits);
  return misfits;
}

}  // namespace dlspec::conformance
