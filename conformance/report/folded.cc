#include <dlspec/conformance/report/folded.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/wrap.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/vocabulary/mitigations.h>

namespace dlspec::conformance {

Records records_of(const Document& document, const SubjectInfo& subject) {
  Records records;
  for (const Record& record : document.results) {
    if (record.subject == subject.subject) records.push_back(&record);
  }
  return records;
}

std::vector<FoldedFinding> fold_findings(const Records& records, std::span<const Verdict> statuses) {
  std::vector<FoldedFinding> found;
  std::map<std::tuple<Verdict, RuleId, std::string_view>, std::size_t> where;
  for (const Verdict status : statuses) {
    for (const Record* record : records) {
      if (record->status != status) continue;
      const auto [entry, is_new] = where.insert({{status, record->rule, record->observed}, found.size()});
      if (is_new) {
        found.push_back({record, {}});
      } else {
        found[entry->second].others.push_back(record);
      }
    }
  }
  return found;
}

std::vector<FoldedFinding> fold_findings(const Document& document, const SubjectInfo& subject,
                                         std::span<const Verdict> statuses) {
  return fold_findings(records_of(document, subject), statuses);
}

std::vector<FoldedRule> fold_rules(const Records& records, std::span<const Verdict> statuses) {
  std::vector<bool> deviates(rules().size());  // most rules do not
  for (const Record* record : records) {
    if (std::find(statuses.begin(), statuses.end(), record->status) != statuses.end())
      deviates[static_cast<std::size_t>(record->rule)] = true;
  }
  std::map<RuleId, FoldedRule> by_rule;
  for (const Record* record : records) {
    if (deviates[static_cast<std::size_t>(record->rule)] && is_judged(record->status))
      by_rule[record->rule].judged.push_back(record);
  }
  std::vector<FoldedRule> found;
  for (auto& [id, folded] : by_rule) {
    for (const Verdict status : statuses) {
      for (const Record* record : folded.judged) {
        if (record->status == status) folded.deviating.push_back(record);
      }
    }
    if (folded.deviating.empty()) continue;
    folded.rule = id;
    folded.worst = folded.deviating.front()->status;
    found.push_back(std::move(folded));
  }
  const auto rank = [&](const FoldedRule& each) { return std::find(statuses.begin(), statuses.end(), each.worst); };
  std::stable_sort(found.begin(), found.end(), [&](const FoldedRule& a, const FoldedRule& b) {
    if (a.worst != b.worst) return rank(a) < rank(b);
    return a.deviating.size() > b.deviating.size();
  });
  return found;
}

std::vector<FoldedRule> violated_rules(const Records& records) {
  constexpr Verdict warnings[] = {Verdict::warn};
  std::vector<FoldedRule> rules = fold_rules(records, failing_statuses);
  for (FoldedRule& folded : fold_rules(records, warnings)) rules.push_back(std::move(folded));
  return rules;
}

std::vector<FoldedReason> fold_reasons(const Records& records, Verdict status) {
  std::vector<FoldedReason> found;
  std::map<std::string_view, std::set<std::string_view>> cases;
  for (const Record* record : records) {
    if (record->status != status) continue;
    const auto [entry, is_new] = cases.insert({record->observed, {}});
    if (is_new) found.push_back({record->observed, 0});
    entry->second.insert(record->case_id);
  }
  for (FoldedReason& reason : found) reason.cases = cases[reason.reason].size();
  return found;
}

std::vector<FoldedReason> fold_reasons(const Document& document, const SubjectInfo& subject, Verdict status) {
  return fold_reasons(records_of(document, subject), status);
}

std::string mildness(const Record& record) {
  if (record.mitigation == nullptr || record.status != record.mitigation->verdict) return "";
  return fmt::format("{} instead of {}: {}", verdict_name(record.status),
                     verdict_name(verdict_of(rule(record.rule).level)), reason_text(*record.mitigation));
}

std::string shown_name(const SubjectInfo& subject) {
  constexpr std::size_t longest = 60;
  if (subject.name.empty()) return cut(clean_text(subject.subject), longest);
  return cut(clean_text(subject.version.empty() ? subject.name : subject.name + " " + subject.version), longest);
}

std::string shown_path(std::string_view path) {
  for (const std::string_view folder : {"site-packages/", "dist-packages/"}) {
    if (const std::size_t at = path.rfind(folder); at != std::string_view::npos) return clean_text(path.substr(at));
  }
  if (!path.starts_with('/')) return clean_text(path);
  const std::size_t name = path.rfind('/');
  const std::size_t folder = name == 0 ? 0 : path.rfind('/', name - 1);
  return folder == 0 ? clean_text(path) : "..." + clean_text(path.substr(folder));
}

std::string shown_command(const Record& record) {
  const std::optional<std::vector<std::string>> words = split_words(clean_text(record.reproduce));
  if (!words) return clean_text(record.reproduce);
  std::string text;
  for (const std::string& word : *words) {
    const bool is_program = text.empty() || text.ends_with(" --python");
    const char* const here = is_program ? "" : "./";  // a subject is one only by its path
    const std::string shown = word.starts_with('/') ? here + word.substr(word.rfind('/') + 1) : word;
    text += (text.empty() ? "" : " ") + shell_quoted(shown);
  }
  return text;
}

std::string role_list(const SubjectInfo& subject) {
  std::string text;
  for (std::size_t i = 0; i < subject.roles.size(); ++i) {
    const char* const between = i == 0 ? "" : i + 1 == subject.roles.size() ? " and " : ", ";
    text += between + std::string(role_name(subject.roles[i]));
  }
  return text;
}

}  // namespace dlspec::conformance
