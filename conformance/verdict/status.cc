#include <dlspec/conformance/verdict/status.h>

#include <algorithm>
#include <map>

#include <dlspec/conformance/core/outcome.h>

namespace dlspec::conformance {
namespace {

bool is_failure(Verdict status) {
  return status == Verdict::fail || status == Verdict::crash || status == Verdict::timeout;
}

bool is_bad(Verdict status, bool strict) { return is_failure(status) || (strict && status == Verdict::warn); }

// Whether a subject was asked in this role, and nothing was judged.
bool is_unexercised(std::span<const Record> records, std::string_view subject, Role role) {
  bool asked = false;
  for (const Record& record : records) {
    if (record.role != role || !is_about(record, subject)) continue;
    if (is_judged(record.status)) return false;
    asked = true;
  }
  return asked;
}

// The reason that most of the subject's records give for what is unsupported in this role, or "".
std::string usual_reason(std::span<const Record> records, std::string_view subject, Role role) {
  std::map<std::string_view, std::size_t> counts;
  for (const Record& record : records) {
    if (record.role == role && record.status == Verdict::unsupported && is_about(record, subject))
      ++counts[record.observed];
  }
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto usual = std::max_element(counts.begin(), counts.end(), less);
  return usual == counts.end() ? "" : std::string(usual->first);
}

// "; as producer, most often: the adapter has no make()", for each role in which something was unsupported.
std::string usual_reasons(std::span<const Record> records, std::string_view subject) {
  std::string text;
  for (const Role role : {Role::producer, Role::consumer}) {
    const std::string reason = usual_reason(records, subject, role);
    if (!reason.empty()) text += std::string("; as ") + role_name(role) + ", most often: " + reason;
  }
  return text;
}

std::vector<std::string> unjudged(const RunFacts& facts) {
  std::vector<std::string> reasons = facts.faults;
  for (const std::string& subject : facts.named) {
    if (!was_exercised(facts.records, subject)) {
      reasons.push_back(subject + ": no rule could be exercised" + usual_reasons(facts.records, subject));
      continue;
    }
    for (const Role role : facts.named_roles) {
      if (is_unexercised(facts.records, subject, role))
        reasons.push_back(subject + ": no rule could be exercised on the " + role_name(role) + ", which --role names");
    }
  }
  return reasons;
}

std::string violated_text(std::size_t count) {
  return count == 1 ? "1 record fails" : std::to_string(count) + " records fail";
}

}  // namespace

bool is_judged(Verdict status) {
  switch (status) {
    case Verdict::pass:
    case Verdict::fail:
    case Verdict::warn:
    case Verdict::info:
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::xfail:
    case Verdict::xpass: return true;
    case Verdict::unsupported:
    case Verdict::not_applicable:
    case Verdict::blocked:
    case Verdict::skipped: break;
  }
  return false;
}

Verdict status_of(RuleId id, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::pass: return Verdict::pass;
    case Outcome::Kind::violated:
      return outcome.mitigation != nullptr ? outcome.mitigation->verdict : outcome.verdict.value_or(rule(id).violated);
    case Outcome::Kind::unsupported: return Verdict::unsupported;
    case Outcome::Kind::not_applicable: return Verdict::not_applicable;
    case Outcome::Kind::blocked: return Verdict::blocked;
    case Outcome::Kind::info: return Verdict::info;
    case Outcome::Kind::crash: return Verdict::crash;
    case Outcome::Kind::timeout: return Verdict::timeout;
    case Outcome::Kind::skipped: return Verdict::skipped;
  }
  return Verdict::blocked;
}

UnderBaseline under_baseline(Verdict seen, const Listed& line) {
  const Verdict milder = line.newer_rule && is_failure(seen) ? Verdict::warn : seen;
  if (!line.listed) return {milder, Fit::unlisted};
  switch (seen) {
    case Verdict::fail:
    case Verdict::warn:
    case Verdict::crash:
    case Verdict::timeout:
      return seen == line.status && line.same_observation ? UnderBaseline{Verdict::xfail, Fit::expected}
                                                          : UnderBaseline{milder, Fit::changed};
    case Verdict::info:  // observed in one of two runs only, or no longer a fault
      return {seen, line.same_observation ? Fit::expected : Fit::changed};
    case Verdict::pass: return {Verdict::xpass, Fit::gone};
    case Verdict::unsupported:
    case Verdict::not_applicable:
    case Verdict::blocked:
    case Verdict::skipped:
    case Verdict::xfail:  // only a baseline gives xfail and xpass
    case Verdict::xpass: break;
  }
  return {seen, Fit::not_judged};
}

bool is_about(const Record& record, std::string_view subject) {
  return record.subject == subject || record.producer == subject || record.consumer == subject;
}

bool was_exercised(std::span<const Record> records, const std::string& subject) {
  return std::any_of(records.begin(), records.end(),
                     [&](const Record& record) { return is_about(record, subject) && is_judged(record.status); });
}

Conclusion conclude(const RunFacts& facts) {
  Conclusion conclusion;
  conclusion.reasons = unjudged(facts);
  const auto bad =
      static_cast<std::size_t>(std::count_if(facts.records.begin(), facts.records.end(), [&](const Record& record) {
        return is_bad(record.status, facts.strict);
      }));
  const bool misfit =
      !facts.misfits.empty() || std::any_of(facts.records.begin(), facts.records.end(),
                                            [](const Record& record) { return record.status == Verdict::xpass; });
  conclusion.status = !conclusion.reasons.empty() ? exit_unjudged
                      : bad > 0                   ? exit_violated
                      : misfit                    ? exit_baseline
                                                  : exit_good;
  if (bad > 0) conclusion.reasons.push_back(violated_text(bad));
  conclusion.reasons.insert(conclusion.reasons.end(), facts.misfits.begin(), facts.misfits.end());
  if (misfit) {
    conclusion.reasons.emplace_back(
        "the baseline does not fit; `dlspec baseline update` makes it fit the results of a run with --json");
  }
  return conclusion;
}

int exit_status(const RunFacts& facts) { return conclude(facts).status; }

}  // namespace dlspec::conformance
