#include <dlspec/conformance/report/claims.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {
namespace {

// What the records of one role say of a rule.
struct RuleRecords {
  bool concerned = false;  // a record that is not `not-applicable`
  bool judged = false;
};

RoleFigures role_figures(const Records& records, SubjectKind kind, Role role) {
  std::map<RuleId, RuleRecords> rules;
  const bool has_device = std::any_of(records.begin(), records.end(), [](const Record* record) {
    return needs_device(std::string_view(record->case_id).substr(record->case_id.rfind('/') + 1));
  });
  for (const RuleId id : asked_rules(kind, role, has_device)) rules[id].concerned = true;
  std::map<RuleId, RuleRecords> seen;
  for (const Record* record : records) {
    if (record->role != role) continue;
    RuleRecords& entry = seen[record->rule];
    entry.concerned |= record->status != Verdict::not_applicable;
    entry.judged |= is_judged(record->status);
  }
  for (const auto& [id, entry] : seen) rules[id] = entry;
  RoleFigures figures{role};
  for (const auto& [id, entry] : rules) {
    figures.binding += entry.concerned ? 1 : 0;
    figures.exercised += entry.judged ? 1 : 0;
  }
  return figures;
}

std::uint32_t percent(const RoleFigures& figures) {
  return figures.binding == 0 ? 0 : figures.exercised * 100 / figures.binding;
}

bool is_asked(const Records& records, Role role) {
  return std::any_of(records.begin(), records.end(), [&](const Record* record) { return record->role == role; });
}

// Rules with a record of one of these statuses, and of no status that was counted before.
std::size_t count_rules(const Records& records, std::initializer_list<Verdict> statuses, std::set<RuleId>& counted) {
  std::set<RuleId> found;
  for (const Record* record : records) {
    const bool has_status = std::find(statuses.begin(), statuses.end(), record->status) != statuses.end();
    if (has_status && !counted.contains(record->rule)) found.insert(record->rule);
  }
  counted.insert(found.begin(), found.end());
  return found.size();
}

std::string counted(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

bool Claim::is_judged() const {
  return !roles.empty() && std::all_of(roles.begin(), roles.end(),
                                       [](const RoleFigures& each) { return percent(each) >= least_exercised; });
}

Claim claim_of(const Document& document, const SubjectInfo& subject) {
  const Records records = records_of(document, subject);
  Claim claim;
  for (const Role role : subject.roles) {
    if (is_asked(records, role)) claim.roles.push_back(role_figures(records, subject.kind, role));
  }
  std::set<RuleId> rules;
  claim.failing = count_rules(records, {Verdict::fail, Verdict::crash, Verdict::timeout}, rules);
  claim.accepted = count_rules(records, {Verdict::xfail}, rules);
  claim.warnings = count_rules(records, {Verdict::warn}, rules);
  return claim;
}

void fill_figures(Document& document) {
  for (SubjectInfo& subject : document.subjects) subject.figures = claim_of(document, subject).roles;
}

std::string verdict_text(const Claim& claim) {
  std::string text;
  if (claim.failing > 0) {
    text = "does not conform: " + counted(claim.failing, "rule fails", "rules fail");
  } else if (!claim.is_judged()) {
    text = "is not judged";
  } else {
    text = "conforms";
  }
  if (claim.accepted > 0)
    text += (claim.failing > 0 || !claim.is_judged() ? ", " : " but for ") +
            counted(claim.accepted, "accepted deviation", "accepted deviations");
  if (claim.warnings > 0) text += ", " + counted(claim.warnings, "warning", "warnings");
  return text;
}

std::string exercised_text(const Claim& claim) {
  std::string text;
  for (const RoleFigures& each : claim.roles)
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", role_name(each.role), percent(each));
  if (text.empty()) return "";
  text += " of rules exercised";
  return claim.is_judged() ? text : fmt::format("{} ({} % of each role are needed)", text, least_exercised);
}

}  // namespace dlspec::conformance
