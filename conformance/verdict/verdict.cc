#include <dlspec/conformance/verdict/verdict.h>

#include <algorithm>
#include <string_view>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {
namespace {

Record blank_record(const std::string& subject, const Case& work, RuleId id) {
  Record record;
  record.subject = subject;
  record.role = work.role;
  record.rule = id;
  record.case_id = work.id;
  return record;
}

// The row that explains a status milder than the level of the rule: the worker's, else the one for every violation.
const Mitigation* mitigation_for(RuleId id, const Outcome& outcome, Verdict status) {
  if (outcome.mitigation != nullptr) return outcome.mitigation;
  const Mitigation* const always = mitigation_of(rule(id));
  return always != nullptr && always->verdict == status ? always : nullptr;
}

Record record_of(const std::string& subject, const Case& work, RuleId id, const Outcome& outcome) {
  Record record = blank_record(subject, work, id);
  record.status = status_of(id, outcome);
  if (record.status == Verdict::pass || record.status == Verdict::not_applicable) return record;
  record.observed = outcome.observed;
  record.allowed = outcome.allowed;
  record.reproduce = reproduce_command(subject, work.id, id);
  record.mitigation = mitigation_for(id, outcome, record.status);
  return record;
}

Outcome plain_outcome(Outcome::Kind kind, std::string observed) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.observed = std::move(observed);
  return outcome;
}

// The rule that a crash or timeout is recorded under.
RuleId blamed_rule(const Case& work, const Answer& answer) {
  const RuleId culprit = answer.culprit.value_or(work.primary);
  const bool asked = std::find(work.rules.begin(), work.rules.end(), culprit) != work.rules.end();
  return asked ? culprit : work.primary;
}

const char* allowed_instead_of(const Answer& answer) {
  if (answer.kind == Answer::Kind::timeout) return "an answer or a refusal within the deadline";
  switch (answer.culprit.value_or(RuleId{})) {
    case RuleId::tensor_element_address: return "no access beside the elements, extents and strides";
    case RuleId::managed_no_touch_after_delete: return "no access after the deleter returned";
    case RuleId::flags_read_only_not_written: return "memory that is only read";
    case RuleId::managed_deleter_nothrow: return "a deleter that throws nothing";
    case RuleId::exchange_no_cpp_exceptions: return "-1, and no exception that leaves the function";
    case RuleId::managed_deleter_after_finalize: return "a deleter that does no harm after the end of the interpreter";
    default: return "an answer or a refusal by an error";
  }
}

// The row by which the death of a case is no failure; nullptr: none.
const Mitigation* mitigation_of_death(const Case& work, const Answer& answer) {
  const bool timeout = answer.kind == Answer::Kind::timeout;
  if (is_hostile(work.id)) return find_mitigation("hostile-struct");
  const bool is_limit = timeout || answer.text.starts_with("memory limit");
  if (work.primary == RuleId::abi_shape_int64 && is_limit) return find_mitigation("extent-walked");
  if (work.variant == "rank=1048576" && is_limit) return find_mitigation("axes-walked");
  if (work.variant == "nested" && timeout) return find_mitigation("waits-for-itself");
  if (work.id.find("stimulus=many-") != std::string::npos && timeout) return find_mitigation("rounds-unfinished");
  return nullptr;
}

Outcome death_outcome(const Case& work, const Answer& answer) {
  const bool crash = answer.kind == Answer::Kind::crash;
  Outcome outcome = plain_outcome(crash ? Outcome::Kind::crash : Outcome::Kind::timeout, answer.text);
  outcome.allowed = work.primary == RuleId::version_major_checked_first
                        ? "the major version compared before anything behind flags is read"
                        : allowed_instead_of(answer);
  if (const Mitigation* const milder = mitigation_of_death(work, answer)) {
    outcome.kind = Outcome::Kind::violated;
    outcome.mitigation = milder;
  }
  return outcome;
}

// The outcome of a rule when the answer holds for the whole case.
Outcome shared_outcome(const Case& work, const Answer& answer, RuleId id) {
  using Kind = Outcome::Kind;
  switch (answer.kind) {
    case Answer::Kind::crash:
    case Answer::Kind::timeout: {
      const RuleId blamed = blamed_rule(work, answer);
      if (id != blamed) {
        return plain_outcome(Kind::blocked, "by " + std::string(rule(blamed).id) + ": " + answer.text);
      }
      return death_outcome(work, answer);
    }
    case Answer::Kind::unsupported: return plain_outcome(Kind::unsupported, answer.text);
    case Answer::Kind::skipped: return plain_outcome(Kind::skipped, answer.text);
    case Answer::Kind::adapter_fault:
      return plain_outcome(Kind::blocked, "the adapter contradicts itself: " + answer.text);
    case Answer::Kind::blocked:
    case Answer::Kind::answered: break;
  }
  return plain_outcome(Kind::blocked, answer.text);
}

bool is_failing(Verdict status) {
  return status == Verdict::fail || status == Verdict::warn || status == Verdict::crash || status == Verdict::timeout;
}

std::vector<RuleId> failing_rules(const Case& work, const Answer& answer) {
  std::vector<RuleId> failing;
  for (const RuleId id : work.rules) {
    const auto found = answer.outcomes.find(id);
    if (found != answer.outcomes.end() && is_failing(status_of(id, found->second))) failing.push_back(id);
  }
  return failing;
}

// The first failed rule, in the order of `needs`, that this rule needs directly or indirectly; nullptr when there is
// none. `needs` has no cycles (verdict_test.cc checks this).
const Rule* failed_precondition(const Rule& row, const std::vector<RuleId>& failing) {
  std::string_view needs = failing.empty() ? "" : row.needs;
  while (!needs.empty()) {
    const std::size_t space = std::min(needs.find(' '), needs.size());
    const Rule* needed = find_rule(needs.substr(0, space));
    needs.remove_prefix(std::min(space + 1, needs.size()));
    if (needed == nullptr) continue;
    if (std::find(failing.begin(), failing.end(), needed->rule) != failing.end()) return needed;
    if (const Rule* deeper = failed_precondition(*needed, failing)) return deeper;
  }
  return nullptr;
}

// A failed precondition blocks these outcomes, so that each fault is reported once.
bool can_be_blocked(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::pass || outcome.kind == Outcome::Kind::violated ||
         outcome.kind == Outcome::Kind::info;
}

Outcome with_preconditions(const std::vector<RuleId>& failing, RuleId id, const Outcome& outcome) {
  if (!can_be_blocked(outcome)) return outcome;
  const Rule* failed = failed_precondition(rule(id), failing);
  return failed != nullptr ? plain_outcome(Outcome::Kind::blocked, std::string("by ") + failed->id) : outcome;
}

// What is wrong with the mildness of a record, as the end of a sentence; "" when nothing is.
std::string unfounded(const Record& record) {
  const Rule& row = rule(record.rule);
  if (!is_milder(record.status, row.level)) return "";
  if (record.mitigation == nullptr) return "without a mitigation";
  return covers(*record.mitigation, row) ? "" : std::string("by the mitigation ") + record.mitigation->id;
}

void add_record(Record record, Judged& judged) {
  if (const std::string why = unfounded(record); !why.empty()) {
    judged.faults.push_back(record.subject + ": " + rule(record.rule).id + " in " + record.case_id + " is judged " +
                            verdict_name(record.status) + " " + why);
  }
  judged.records.push_back(std::move(record));
}

void judge_answered(const std::string& subject, const Case& work, const Answer& answer, Judged& judged) {
  const std::vector<RuleId> failing = failing_rules(work, answer);
  for (const RuleId id : work.rules) {
    const auto found = answer.outcomes.find(id);
    if (found != answer.outcomes.end()) {
      add_record(record_of(subject, work, id, with_preconditions(failing, id, found->second)), judged);
      if (id == work.primary) judged.records.back().observation = answer.observation;
      continue;
    }
    judged.records.push_back(
        record_of(subject, work, id, plain_outcome(Outcome::Kind::blocked, "not judged by the worker")));
    judged.faults.push_back(subject + ": the worker did not judge " + rule(id).id + " in " + work.id);
  }
}

bool is_death(Verdict status) { return status == Verdict::crash || status == Verdict::timeout; }
bool is_violation(Verdict status) { return status == Verdict::fail || status == Verdict::warn; }

bool is_about_lifetime(RuleId id) {
  const std::string_view group = rule_group(rule(id));
  return group == "managed" || group == "capsule";
}

bool is_to_be_confirmed(const Record& record) {
  const bool in_sequence = record.case_id.find("/sequence=") != std::string::npos;
  const bool unsteady = in_sequence || is_about_lifetime(record.rule);
  if (is_hostile(record.case_id)) return is_reported(record.status);  // where even a death is information
  return is_death(record.status) || (is_violation(record.status) && unsteady);
}

// A death that needs other cases before it. Their number is left out: baselines hold the text.
void add_history(const std::vector<std::string>& after, Record& record) {
  record.observed += ", after other cases in the same process";
  record.reproduce = reproduce_command(record.subject, after, record.case_id);
  record.after = after;
}

// A rule that is blocked in the second run is neither confirmed nor refuted by it.
bool is_refuted_by(const Record& second) {
  if (is_hostile(second.case_id)) return !is_reported(second.status) && second.status != Verdict::blocked;
  return !is_death(second.status) && !is_violation(second.status) && second.status != Verdict::blocked;
}

Record seen_once(const Record& seen, std::string_view where = seen_once_in[0]) {
  Record record = seen;
  record.status = Verdict::info;
  record.mitigation = find_mitigation("seen-once");
  record.observed = fmt::format("{} ({}): {}", where, verdict_name(seen.status), seen.observed);
  return record;
}

Record confirm_one(const Record& first, const Record& second) {
  if (is_to_be_confirmed(first)) return is_refuted_by(second) ? seen_once(first) : first;
  if (is_to_be_confirmed(second) && first.status != Verdict::blocked) return seen_once(second);
  return first.status == Verdict::blocked ? second : first;  // a crash in the first run blocked it
}

}  // namespace

bool is_reported(Verdict status) { return is_death(status) || is_violation(status) || status == Verdict::info; }

bool may_report(const Answer& answer) {
  using Kind = Outcome::Kind;
  if (answer.kind == Answer::Kind::crash || answer.kind == Answer::Kind::timeout) return true;
  return std::any_of(answer.outcomes.begin(), answer.outcomes.end(), [](const auto& each) {
    const Kind kind = each.second.kind;
    return kind == Kind::violated || kind == Kind::info || kind == Kind::crash || kind == Kind::timeout;
  });
}

Judged judge(const std::string& subject, const Case& work, const Answer& answer) {
  Judged judged;
  if (answer.kind == Answer::Kind::answered) {
    judge_answered(subject, work, answer, judged);
    return judged;
  }
  for (const RuleId id : work.rules) {
    Record record = record_of(subject, work, id, shared_outcome(work, answer, id));
    if (is_death(record.status) && !answer.after.empty()) add_history(answer.after, record);
    judged.records.push_back(std::move(record));
  }
  if (answer.kind == Answer::Kind::adapter_fault) {
    judged.faults.push_back(subject + ": the adapter contradicts itself in " + work.id + ": " + answer.text);
  }
  return judged;
}

bool needs_second_run(std::span<const Record> records) {
  for (const Record& record : records) {
    if (is_to_be_confirmed(record)) return true;
  }
  return false;
}

std::vector<Record> confirm(std::span<const Record> first, std::span<const Record> second) {
  std::vector<Record> merged;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool same = i < second.size() && second[i].rule == first[i].rule && second[i].case_id == first[i].case_id;
    merged.push_back(same ? confirm_one(first[i], second[i]) : first[i]);
  }
  return merged;
}

std::vector<Record> unconfirmed(std::span<const Record> records) {
  std::vector<Record> left(records.begin(), records.end());
  for (Record& record : left) {
    if (is_to_be_confirmed(record) && is_violation(record.status)) record = seen_once(record, seen_once_in[1]);
  }
  return left;
}

}  // namespace dlspec::conformance
