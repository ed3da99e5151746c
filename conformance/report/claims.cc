#include <dlspec/conformance/report/claims.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {
namespace {

// What the records of one role say of a rule.
struct RuleRecords {
  bool seen = false;
  bool concerned = false;  // a record that is not `not-applicable`
  bool judged = false;
};

bool has_device_cases(const Records& records) {
  std::string_view before;  // the records of a case stand together
  for (const Record* record : records) {
    const std::string_view id = record->case_id;
    if (id != before && needs_device(id.substr(id.rfind('/') + 1))) return true;
    before = id;
  }
  return false;
}

RoleFigures role_figures(const Records& records, SubjectKind kind, Role role, bool has_device) {
  std::vector<RuleRecords> by_rule(rules().size());
  for (const Record* record : records) {
    if (record->role != role) continue;
    RuleRecords& entry = by_rule[static_cast<std::size_t>(record->rule)];
    entry.seen = true;
    entry.concerned |= record->status != Verdict::not_applicable;
    entry.judged |= is_judged(record->status);
  }
  for (const RuleId id : asked_rules(kind, role, has_device)) {
    RuleRecords& entry = by_rule[static_cast<std::size_t>(id)];
    entry.concerned |= !entry.seen;
  }
  RoleFigures figures{role};
  for (const RuleRecords& entry : by_rule) {
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
std::size_t count_rules(const Records& records, std::initializer_list<Verdict> statuses, std::vector<bool>& counted) {
  std::size_t found = 0;
  for (const Record* record : records) {
    if (std::find(statuses.begin(), statuses.end(), record->status) == statuses.end()) continue;
    const auto place = static_cast<std::size_t>(record->rule);
    found += counted[place] ? 0 : 1;
    counted[place] = true;
  }
  return found;
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
  const bool has_device = has_device_cases(records);
  Claim claim;
  for (const Role role : subject.roles) {
    if (is_asked(records, role)) claim.roles.push_back(role_figures(records, subject.kind, role, has_device));
  }
  std::vector<bool> counted(rules().size());
  claim.failing = count_rules(records, {Verdict::fail, Verdict::crash, Verdict::timeout}, counted);
  claim.accepted = count_rules(records, {Verdict::xfail}, counted);
  claim.warnings = count_rules(records, {Verdict::warn}, counted);
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
