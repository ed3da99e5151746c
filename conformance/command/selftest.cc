// dlspec selftest: every faulty subject of the zoo must violate exactly its rule, and every conforming twin none.
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include <dlspec/conformance/judging/near.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/selfcheck/zoo/showing.h>
#include <dlspec/conformance/selfcheck/zoo/struct_checks.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {
namespace {

using namespace dlspec::conformance;

bool any_exhibit_matches(const std::string& glob) {
  const std::vector<RuleId> shown = shown_rules();
  return std::any_of(shown.begin(), shown.end(), [&](RuleId each) { return matches_globs(glob, rule(each).id); });
}

ScheduleOptions schedule_options(const SelftestOptions& options, Progress& progress, std::size_t subjects) {
  ScheduleOptions schedule;
  schedule.jobs = options.jobs > 0 ? options.jobs : default_jobs();
  schedule.progress = [&progress, subjects](std::size_t task, std::size_t) {
    progress.show(fmt::format("subject {} of {}", task + 1, subjects));
  };
  return schedule;
}

// The differences between the declared and the found rules of a subject.
std::string row_text(const Shown& shown) {
  const Showing& showing = *shown.showing;
  std::string text = fmt::format("WRONG  {}\n  declared    {}\n", showing.name,
                                 showing.declared ? rule(*showing.declared).id : "nothing: it is a twin");
  for (const std::string& fault : shown.faults) text += fmt::format("  not judged  {}\n", fault);
  if (showing.declared && !shown.found.contains(*showing.declared)) {
    text += fmt::format("  missing     {}\n", rule(*showing.declared).id);
  }
  for (const RuleId id : shown.unused_masks()) text += fmt::format("  idle mask   {}\n", rule(id).id);
  for (const auto& [id, found] : shown.found) {
    if (!shown.is_too_much(id)) continue;
    text += fmt::format("  too much    {} ({} in {}{})\n              {}\n", rule(id).id,
                        verdict_name(found.first.status), found.first.case_id,
                        found.cases > 1 ? fmt::format(" and {} more", found.cases - 1) : "", found.first.observed);
  }
  return text;
}

struct SelftestFailures {
  std::string wrong;  // their texts
  std::size_t count = 0;
};

void add_structs(const StructChecks& checks, SelftestFailures& failures) {
  for (const std::string& sentence : checks.wrong) failures.wrong += "WRONG  " + sentence + "\n";
  failures.count += checks.wrong.size();
}

void add_subjects(const std::vector<Shown>& all, SelftestFailures& failures) {
  for (const Shown& shown : all) {
    if (shown.is_right()) continue;
    failures.wrong += row_text(shown);
    ++failures.count;
  }
}

std::string summary(const SelftestOptions& options, const StructChecks& checks, const std::vector<Shown>& all) {
  std::set<RuleId> rules;
  std::size_t faulty = 0;
  for (const Shown& shown : all) {
    if (!shown.showing->declared) continue;
    ++faulty;
    rules.insert(*shown.showing->declared);
  }
  for (const RuleId id : shown_rules()) {
    if (matches_globs(options.rules, rule(id).id)) rules.insert(id);
  }
  return fmt::format(
      "{} rules: {} faulty subjects and {} twins in workers; {} faulty structs, their twins and {} pairs of them "
      "({} of which do not show both) in process, by both validators\n",
      rules.size(), faulty, all.size() - faulty, checks.rows, checks.pairs, checks.masked);
}

// The path of the first missing file that the self-test needs; "" when none is missing.
std::string missing_part(const Resources& resources, const Interpreter& interpreter) {
  for (const auto& part : {resources.zoo_plugin(), resources.zoo_adapter(), resources.extension(interpreter)}) {
    if (!std::filesystem::exists(part)) return part.string();
  }
  return "";
}

}  // namespace

int selftest(const SelftestOptions& options) {
  if (const std::string pattern = pattern_without_rule(options.rules); !pattern.empty())
    return fail_with(exit_usage, "no rule matches '" + pattern + "'" + nearest_rule(pattern));
  if (!any_exhibit_matches(options.rules)) {
    complain("the zoo has no subject for '" + options.rules + "'; `dlspec rules --coverage` says what is checked");
    return exit_usage;
  }
  const InterpreterChoice choice = choose_interpreter(options.python);
  if (!choice.interpreter) return fail_with(exit_unjudged, choice.error);
  const Resources resources = find_resources();
  if (const std::string part = missing_part(resources, *choice.interpreter); !part.empty()) {
    complain("a part of dlspec is missing: " + part +
             "; build the targets dlspec_zoo and dlspec_native, or install again");
    return exit_unjudged;
  }
  std::vector<Showing> showings = exhibit_showings(options.rules, *choice.interpreter, resources);
  for (Showing& each : struct_showings(options.rules, resources)) showings.push_back(std::move(each));
  Progress progress(options.quiet);
  const StructChecks checks = check_structs(options.rules);
  const std::vector<Shown> all = show(showings, schedule_options(options, progress, showings.size()), options.thorough);
  progress.wipe();
  if (interrupt_signal() != 0) return fail_with(exit_unjudged, "interrupted");
  SelftestFailures failures;
  add_structs(checks, failures);
  add_subjects(all, failures);
  std::string text = failures.wrong;
  if (!options.quiet) text += summary(options, checks, all);
  if (failures.count > 0) text += fmt::format("{} wrong\n", failures.count);
  if (!print(text)) return exit_unjudged;
  return failures.count > 0 ? exit_violated : exit_good;
}

}  // namespace dlspec::command
