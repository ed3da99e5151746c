#include <dlspec/conformance/verdict/verdict.h>

#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

Case sample_case() {
  Case work;
  work.id = "consumer/float32/c/null-deleter";
  work.role = Role::consumer;
  work.primary = RuleId::managed_deleter_null_skipped;
  work.rules = {RuleId::tensor_element_address, RuleId::managed_deleter_once, RuleId::managed_deleter_null_skipped};
  return work;
}

Outcome outcome_of(Kind kind, std::string observed = "seen", std::string allowed = "right") {
  Outcome outcome;
  outcome.kind = kind;
  outcome.observed = std::move(observed);
  outcome.allowed = std::move(allowed);
  return outcome;
}

Answer answered(std::initializer_list<Kind> kinds) {
  Answer answer;
  const Case work = sample_case();
  auto rule = work.rules.begin();
  for (const Kind kind : kinds) answer.outcomes[*rule++] = outcome_of(kind);
  return answer;
}

Answer death(Answer::Kind kind) {
  Answer answer;
  answer.kind = kind;
  answer.text = "killed by SIGSEGV";
  return answer;
}

std::vector<Verdict> statuses(const std::vector<Record>& records) {
  std::vector<Verdict> found;
  for (const Record& record : records) found.push_back(record.status);
  return found;
}

Verdict default_of(Level level) {
  if (level == Level::must || level == Level::implied) return Verdict::fail;
  return level == Level::should ? Verdict::warn : Verdict::info;
}

TEST(StatusOf, ABreachFollowsTheLevelUnlessTheTableSaysOtherwise) {
  std::set<Level> levels;
  for (const Rule& row : rules()) {
    EXPECT_EQ(status_of(row.rule, outcome_of(Kind::broken)), row.broken) << row.id;
    if (row.broken == default_of(row.level)) levels.insert(row.level);
  }
  EXPECT_EQ(levels.size(), 5u) << "each level has rules that follow it";
}

TEST(StatusOf, EveryOtherOutcomeIsTheSameAtEveryLevel) {
  constexpr std::pair<Kind, Verdict> table[] = {
      {Kind::pass, Verdict::pass},       {Kind::unsupported, Verdict::unsupported},
      {Kind::info, Verdict::info},       {Kind::not_applicable, Verdict::not_applicable},
      {Kind::crash, Verdict::crash},     {Kind::blocked, Verdict::blocked},
      {Kind::timeout, Verdict::timeout}, {Kind::skipped, Verdict::skipped},
  };
  for (const Rule& row : rules()) {
    for (const auto& [kind, status] : table) EXPECT_EQ(status_of(row.rule, outcome_of(kind)), status) << row.id;
  }
}

TEST(StatusOf, ACheckMayNameAnotherStatusForABreach) {
  Outcome outcome = outcome_of(Kind::broken);
  outcome.verdict = Verdict::warn;
  EXPECT_EQ(status_of(RuleId::managed_deleter_once, outcome), Verdict::warn);
  outcome.kind = Kind::pass;
  EXPECT_EQ(status_of(RuleId::managed_deleter_once, outcome), Verdict::pass) << "only for a breach";
}

TEST(Judge, GivesOneRecordForEachRuleInOrder) {
  const Judged judged = judge("numpy", sample_case(), answered({Kind::pass, Kind::broken, Kind::unsupported}));
  ASSERT_EQ(judged.records.size(), 3u);
  EXPECT_TRUE(judged.faults.empty());
  EXPECT_EQ(statuses(judged.records), (std::vector{Verdict::pass, Verdict::fail, Verdict::unsupported}));
  EXPECT_EQ(judged.records[1].rule, RuleId::managed_deleter_once);
  EXPECT_EQ(judged.records[1].subject, "numpy");
  EXPECT_EQ(judged.records[1].role, Role::consumer);
  EXPECT_EQ(judged.records[1].case_id, sample_case().id);
  EXPECT_EQ(judged.records[1].observed, "seen");
  EXPECT_EQ(judged.records[1].allowed, "right");
  EXPECT_EQ(judged.records[1].reproduce,
            "dlspec run numpy --case consumer/float32/c/null-deleter --rules managed.deleter-once");
}

TEST(Judge, SaysNothingMoreAboutWhatPassedOrDidNotApply) {
  const Judged judged = judge("numpy", sample_case(), answered({Kind::pass, Kind::not_applicable, Kind::pass}));
  for (const Record& record : judged.records) {
    EXPECT_EQ(record.observed + record.allowed + record.reproduce, "");
  }
}

TEST(Judge, WhatAnExchangeBroughtStandsAtThePrimaryRule) {
  Answer answer = answered({Kind::pass, Kind::pass, Kind::broken});
  answer.observation = ExchangeObservation{"float32 (3,4):(4,1)", "kept", "shared", ""};
  const Judged judged = judge("numpy", sample_case(), answer);
  ASSERT_EQ(judged.records.size(), 3u);
  EXPECT_EQ(judged.records[0].observation, std::nullopt);
  EXPECT_EQ(judged.records[1].observation, std::nullopt);
  EXPECT_EQ(judged.records[2].observation, answer.observation);
}

TEST(Judge, ARuleThatTheWorkerLeftOutIsBlockedAndAFault) {
  const Judged judged = judge("numpy", sample_case(), answered({Kind::pass, Kind::pass}));
  EXPECT_EQ(statuses(judged.records), (std::vector{Verdict::pass, Verdict::pass, Verdict::blocked}));
  ASSERT_EQ(judged.faults.size(), 1u);
  EXPECT_EQ(judged.faults[0],
            "numpy: the worker did not judge managed.deleter-null-skipped in consumer/float32/c/null-deleter");
}

// tensor.element-address needs tensor.strides-unit, which needs tensor.strides-not-null.
TEST(Judge, ARuleWhosePreconditionFailedIsBlocked) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  for (const Kind kind : {Kind::pass, Kind::broken, Kind::info}) {
    Answer answer;
    answer.outcomes[RuleId::tensor_strides_not_null] = outcome_of(Kind::broken);
    answer.outcomes[RuleId::tensor_element_address] = outcome_of(kind);
    const Judged judged = judge("numpy", work, answer);
    EXPECT_EQ(statuses(judged.records), (std::vector{Verdict::fail, Verdict::blocked}));
    EXPECT_EQ(judged.records[1].observed, "by tensor.strides-not-null");
    answer.outcomes[RuleId::tensor_strides_not_null].verdict = Verdict::info;
    EXPECT_NE(judge("numpy", work, answer).records[1].status, Verdict::blocked) << "an observation blocks nothing";
  }
}

TEST(Judge, APreconditionFailsByABreachAndByADeath) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  const auto second_after = [&](const Outcome& first) {
    Answer answer;
    answer.outcomes[RuleId::tensor_strides_not_null] = first;
    answer.outcomes[RuleId::tensor_element_address] = outcome_of(Kind::broken);
    return judge("numpy", work, answer).records[1].status;
  };
  for (const Kind kind : {Kind::broken, Kind::crash, Kind::timeout}) {
    EXPECT_EQ(second_after(outcome_of(kind)), Verdict::blocked);
  }
  for (const Kind kind :
       {Kind::pass, Kind::info, Kind::unsupported, Kind::not_applicable, Kind::blocked, Kind::skipped}) {
    EXPECT_EQ(second_after(outcome_of(kind)), Verdict::fail);
  }
  Outcome frowned_upon = outcome_of(Kind::broken);
  frowned_upon.verdict = Verdict::warn;
  EXPECT_EQ(second_after(frowned_upon), Verdict::blocked);
}

TEST(Judge, AnUnsupportedRuleStaysSo) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  Answer answer;
  answer.outcomes[RuleId::tensor_strides_not_null] = outcome_of(Kind::broken);
  answer.outcomes[RuleId::tensor_element_address] = outcome_of(Kind::unsupported);
  EXPECT_EQ(judge("numpy", work, answer).records[1].status, Verdict::unsupported);
}

// In a cycle two rules could block each other, and no rule would report the fault.
TEST(RuleTable, PreconditionsHaveNoCycle) {
  std::map<std::string_view, int> state;  // 1: being visited, 2: done
  const auto visit = [&](const auto& self, const Rule& row) -> bool {
    int& mark = state[row.id];
    if (mark != 0) return mark == 2;
    mark = 1;
    std::istringstream needs(row.needs);
    for (std::string id; needs >> id;) {
      const Rule* needed = find_rule(id);
      EXPECT_NE(needed, nullptr) << row.id << " needs " << id;
      if (needed != nullptr && !self(self, *needed)) return false;
    }
    state[row.id] = 2;
    return true;
  };
  for (const Rule& row : rules()) EXPECT_TRUE(visit(visit, row)) << row.id;
}

TEST(Judge, RulesThatTheCaseDoesNotHaveAreIgnored) {
  Answer answer = answered({Kind::pass, Kind::pass, Kind::pass});
  answer.outcomes[RuleId::flags_default_zero] = outcome_of(Kind::broken);
  EXPECT_EQ(judge("numpy", sample_case(), answer).records.size(), 3u);
}

TEST(Judge, ADeathIsRecordedOnceUnderThePrimaryRule) {
  for (const auto& [kind, status] :
       {std::pair{Answer::Kind::crash, Verdict::crash}, std::pair{Answer::Kind::timeout, Verdict::timeout}}) {
    const Judged judged = judge("numpy", sample_case(), death(kind));
    EXPECT_EQ(statuses(judged.records), (std::vector{Verdict::blocked, Verdict::blocked, status}));
    EXPECT_EQ(judged.records[2].observed, "killed by SIGSEGV");
    EXPECT_EQ(judged.records[2].allowed, status == Verdict::crash ? "an answer or a refusal by an error"
                                                                  : "an answer or a refusal within the deadline");
    EXPECT_EQ(judged.records[0].observed, "by managed.deleter-null-skipped: killed by SIGSEGV");
    EXPECT_TRUE(judged.faults.empty());
  }
}

TEST(Judge, AnAnswerForTheWholeCaseHoldsForEachRule) {
  constexpr std::pair<Answer::Kind, Verdict> table[] = {{Answer::Kind::unsupported, Verdict::unsupported},
                                                        {Answer::Kind::blocked, Verdict::blocked},
                                                        {Answer::Kind::skipped, Verdict::skipped},
                                                        {Answer::Kind::adapter_fault, Verdict::blocked}};
  for (const auto& [kind, status] : table) {
    const Judged judged = judge("numpy", sample_case(), death(kind));
    EXPECT_EQ(statuses(judged.records), (std::vector(3, status)));
    const bool contradicts = kind == Answer::Kind::adapter_fault;
    EXPECT_EQ(judged.faults.size(), contradicts ? 1u : 0u);
    EXPECT_EQ(judged.records[0].observed,
              contradicts ? "the adapter contradicts itself: killed by SIGSEGV" : "killed by SIGSEGV");
  }
}

// The `allowed` text for a crash or timeout with this culprit.
std::string allowed_for(Answer::Kind kind, std::optional<RuleId> culprit) {
  Answer answer = death(kind);
  answer.culprit = culprit;
  Case work = sample_case();
  work.primary = culprit.value_or(work.primary);
  work.rules = {work.primary};
  return judge("numpy", work, answer).records.front().allowed;
}

TEST(Judge, SaysWhatADeathShouldHaveBeen) {
  std::set<std::string> allowed;
  for (const RuleId culprit :
       {RuleId::tensor_element_address, RuleId::managed_no_touch_after_delete, RuleId::flags_read_only_not_written,
        RuleId::managed_deleter_nothrow, RuleId::managed_deleter_after_finalize}) {
    allowed.insert(allowed_for(Answer::Kind::crash, culprit));
  }
  EXPECT_EQ(allowed.size(), 5U);
  EXPECT_FALSE(allowed.contains("an answer or a refusal by an error"));
  for (const std::string& text : allowed) EXPECT_GT(text.size(), 10U);
  EXPECT_EQ(allowed_for(Answer::Kind::crash, RuleId::managed_deleter_once), "an answer or a refusal by an error");
  EXPECT_EQ(allowed_for(Answer::Kind::crash, std::nullopt), "an answer or a refusal by an error");
  EXPECT_EQ(allowed_for(Answer::Kind::timeout, RuleId::tensor_element_address),
            "an answer or a refusal within the deadline");
}

TEST(Judge, BooksADeathOnItsCulpritWhereTheCaseAsksForIt) {
  const Case work = sample_case();
  Answer answer = death(Answer::Kind::crash);
  for (const RuleId asked : work.rules) {
    answer.culprit = asked;
    for (const Record& record : judge("numpy", work, answer).records) {
      EXPECT_EQ(record.status, record.rule == asked ? Verdict::crash : Verdict::blocked);
    }
  }
  answer.culprit = RuleId::bridge_strides_null_expanded;
  for (const Record& record : judge("numpy", work, answer).records) {
    EXPECT_EQ(record.status == Verdict::crash, record.rule == work.primary) << "no death is lost";
  }
}

std::vector<Record> run(const Answer& answer) { return judge("numpy", sample_case(), answer).records; }

TEST(SecondRun, IsForDeathsAndForBreachesOfLifetimeRules) {
  EXPECT_FALSE(needs_second_run(run(answered({Kind::pass, Kind::pass, Kind::unsupported}))));
  EXPECT_FALSE(needs_second_run(run(answered({Kind::broken, Kind::pass, Kind::pass})))) << "not about lifetime";
  EXPECT_TRUE(needs_second_run(run(answered({Kind::pass, Kind::broken, Kind::pass}))));
  EXPECT_TRUE(needs_second_run(run(death(Answer::Kind::crash))));
  EXPECT_TRUE(needs_second_run(run(death(Answer::Kind::timeout))));
}

TEST(SecondRun, IsForWarningsAndForCapsulesAsWell) {
  for (const RuleId id : {RuleId::managed_deleter_once, RuleId::capsule_destructor_present}) {
    for (const Verdict status : {Verdict::fail, Verdict::warn}) {
      Record record;
      record.rule = id;
      record.status = status;
      EXPECT_TRUE(needs_second_run(std::vector{record})) << rule(id).id << " " << verdict_name(status);
      record.rule = RuleId::tensor_zero_copy;
      EXPECT_FALSE(needs_second_run(std::vector{record})) << verdict_name(status);
    }
  }
}

TEST(Confirm, ARecordOfAnotherRuleOrCaseRefutesNothing) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::broken, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  std::vector<Record> other_case = clean;
  other_case[1].case_id = "another";
  EXPECT_EQ(statuses(confirm(leak, other_case)), statuses(leak));
  std::vector<Record> other_rule = clean;
  other_rule[1].rule = RuleId::tensor_zero_copy;
  EXPECT_EQ(statuses(confirm(leak, other_rule)), statuses(leak));
  EXPECT_EQ(statuses(confirm(leak, std::span(clean).first(1))), statuses(leak));
}

TEST(Confirm, WhatWasSeenTwiceStands) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::broken, Kind::pass}));
  EXPECT_EQ(statuses(confirm(leak, leak)), statuses(leak));
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  EXPECT_EQ(statuses(confirm(crash, crash)), statuses(crash));
}

TEST(Confirm, WhatWasSeenOnceIsInfo) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::broken, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  for (const std::vector<Record>& merged : {confirm(leak, clean), confirm(clean, leak)}) {
    EXPECT_EQ(statuses(merged), (std::vector{Verdict::pass, Verdict::info, Verdict::pass}));
    EXPECT_EQ(merged[1].observed, "in one of two runs (fail): seen");
    EXPECT_FALSE(merged[1].reproduce.empty());
  }
}

TEST(Confirm, ADeathSeenOnceGivesTheOtherRulesTheirAnswer) {
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  const std::vector<Record> clean = run(answered({Kind::unsupported, Kind::pass, Kind::pass}));
  for (const std::vector<Record>& merged : {confirm(crash, clean), confirm(clean, crash)}) {
    EXPECT_EQ(statuses(merged), (std::vector{Verdict::unsupported, Verdict::pass, Verdict::info}));
  }
}

TEST(Confirm, ABreachThatADeathHidTheSecondTimeStands) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::broken, Kind::pass}));
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  EXPECT_EQ(statuses(confirm(leak, crash)), (std::vector{Verdict::pass, Verdict::fail, Verdict::info}));
  EXPECT_EQ(statuses(confirm(crash, leak)), (std::vector{Verdict::pass, Verdict::fail, Verdict::info}));
}

TEST(Confirm, BreachesOfOtherRulesAreNotRepeated) {
  const std::vector<Record> wrong = run(answered({Kind::broken, Kind::broken, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  EXPECT_EQ(statuses(confirm(wrong, clean)), (std::vector{Verdict::fail, Verdict::info, Verdict::pass}));
}

TEST(ReproduceCommand, IsQuotedWhereAShellWouldReadIt) {
  EXPECT_EQ(reproduce_command("numpy==1.26.4", "a/b", RuleId::tensor_zero_copy),
            "dlspec run numpy==1.26.4 --case a/b --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("", "a", RuleId::tensor_zero_copy), "dlspec run '' --case a --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("./it's mine.py", "a", RuleId::tensor_zero_copy),
            "dlspec run './it'\\''s mine.py' --case a --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("$(rm)", "a", RuleId::tensor_zero_copy),
            "dlspec run '$(rm)' --case a --rules tensor.zero-copy");
}

}  // namespace
}  // namespace dlspec::conformance
