#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/deviations/deviations.h>
#include <dlspec/conformance/report/rule_facts.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/questions.h>

#include "pages.h"

namespace dlspec::docs {
namespace {

// Ids with blanks between them.
std::string linked_ids(std::string_view ids) {
  std::string text;
  while (!ids.empty()) {
    const std::size_t end = std::min(ids.find(' '), ids.size());
    text += (text.empty() ? "" : ", ") + rule_link(ids.substr(0, end), "");
    ids.remove_prefix(std::min(end + 1, ids.size()));
  }
  return text;
}

std::string table_of_facts(const Rule& rule) {
  std::string text = "| | |\n|---|---|\n";
  for (const conformance::Fact& fact : conformance::facts_of(rule, conformance::evidence_of(rule))) {
    const bool ids = std::string_view(fact.name) == "needs";
    text += fmt::format("| {} | {} |\n", fact.name, ids ? linked_ids(fact.text) : markdown(fact.text));
  }
  return text;
}

std::string list(std::string_view heading, const std::vector<std::string>& lines) {
  std::string text = lines.empty() ? "" : fmt::format("\n## {}\n\n", heading);
  for (const std::string& line : lines) text += "- " + line + "\n";
  return text;
}

// What validation says of a faulty struct.
std::string judged(const testing::FaultyRow& row) {
  testing::Exhibit exhibit = testing::build(row);
  const Findings findings = reference::validate(exhibit.exported(), exhibit.origin());
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{}{}: {}; allowed: {}", text.empty() ? "" : ". ", verdict_name(verdict_of(finding)),
                        observed_text(finding), allowed_text(finding));
  }
  return text;
}

// "producer_keywords.NoKeywords" as a link to the module that has it; "plugin:leaks" to the plug-ins, or to their
// bridges.
std::string subject_link(std::string_view name, conformance::Role role) {
  const bool is_bridge = role == conformance::Role::bridge;
  if (name.starts_with("plugin:")) {
    return fmt::format("[`{}`](../../../selfcheck/zoo/plugin/{})", name, is_bridge ? "bridges.h" : "subjects.cc");
  }
  return fmt::format("[`{}`](../../../selfcheck/zoo/python/exhibits/{}.py)", name, name.substr(0, name.find('.')));
}

// What of it is said beside the rule's own finding, where the two cannot be had apart.
std::string masked(std::string_view name) {
  std::string text;
  for (const conformance::ExhibitMask& mask : conformance::exhibit_masks()) {
    if (name == mask.name)
      text += fmt::format("; also {}: {}", rule_link(rule(mask.rule).id, ""), markdown(mask.reason));
  }
  return text;
}

std::string faulty_subjects(const Rule& rule) {
  std::string text;
  for (const conformance::ExhibitRow& row : conformance::exhibits()) {
    if (row.rule != rule.rule) continue;
    text += fmt::format("- {}, a {}; its clean twin is {}{}\n", subject_link(row.name, row.role),
                        conformance::role_name(row.role), subject_link(row.twin, row.role), masked(row.name));
  }
  if (text.empty()) return "";
  return "\n## Faulty subjects\n\nEach differs from its clean twin in one point, and breaks this rule alone; `dlspec "
         "selftest` shows them to the workers.\n\n" +
         text;
}

std::string faulty_structs(const Rule& rule) {
  std::string text;
  for (const testing::FaultyRow& row : testing::faulty_table()) {
    if (row.rule != rule.rule) continue;
    text += fmt::format("| {} | `{}` | `{}` | {} |\n", markdown(row.way), row.base, testing::row_text(row),
                        markdown(judged(row)));
  }
  if (text.empty()) return "";
  return "\n## Faulty structs\n\nEach faulty struct differs from its clean twin in one field, and breaks this rule "
         "alone.\n\n"
         "| way | clean twin | faulty struct | reported |\n|---|---|---|---|\n" +
         text;
}

std::string evidence(const conformance::Deviation& deviation) {
  if (!deviation.reproducer.empty()) {
    return fmt::format("found by dlspec: [{0}](../findings.md#{0})", deviation.reproducer);
  }
  return deviation.origin == "source" ? "read in the source" : markdown(deviation.origin);
}

std::string rule_page(const Rule& rule, Pages& pages) {
  std::vector<std::string> reports;
  for (const std::string& report : conformance::reports_of(rule)) reports.push_back(markdown(report));
  std::vector<std::string> open;
  for (const Question* question : questions_about(rule)) {
    open.push_back(fmt::format("[{0}](../questions.md#{0}): {1}", question->id, markdown(question->question)));
  }
  std::vector<std::string> deviating;
  for (const conformance::Deviation& deviation : conformance::deviations_from(rule)) {
    deviating.push_back(fmt::format("{} {}: {} ({})", markdown(deviation.package), markdown(deviation.versions),
                                    markdown(deviation.what), evidence(deviation)));
  }
  std::vector<std::string> milder;
  for (const std::string& line : conformance::mitigations_of(rule)) milder.push_back(markdown(line));
  return fmt::format("# {}\n\n**{}.** {}\n\n", rule.id, markdown(rule.title), markdown(rule.requirement)) +
         table_of_facts(rule) + rule_pictures(rule, pages) + list("What is reported", reports) +
         list("Judged more mildly", milder) + faulty_structs(rule) + faulty_subjects(rule) +
         list("Open questions", open) + list("Known deviations", deviating) + fmt::format("\n{}", made_by);
}

std::string index_page() {
  std::string text = fmt::format(
      "# The rules\n\n{}\nLevels, statuses and selection are explained in [the guide](../../../docs/guide.md); what "
      "the standard leaves open stands in [questions.md](../questions.md), what it says, statement by statement, in "
      "[census.md](../census.md).\n",
      made_by);
  std::string_view group;
  for (const Rule& rule : rules()) {
    if (group != rule_group(rule)) {
      group = rule_group(rule);
      text += fmt::format("\n## {}\n\n| rule | level | binds | checked | |\n|---|---|---|---|---|\n", group);
    }
    text += fmt::format("| {} | {} | {} | {} | {} |\n", rule_link(rule.id, ""), markdown(conformance::level_text(rule)),
                        side_name(rule.side), conformance::coverage_name(rule.coverage), markdown(rule.title));
  }
  return text;
}

}  // namespace

void add_rule_pages(Pages& pages) {
  for (const Rule& rule : rules()) pages[fmt::format("rules/{}.md", rule.id)] = rule_page(rule, pages);
  pages["rules/README.md"] = index_page();
}

}  // namespace dlspec::docs
