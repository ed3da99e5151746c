// The second run of a case, and the merging of both runs.
#include <dlspec/conformance/verdict/verdict.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/verdict/sample_answers.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

std::vector<Record> run(const Answer& answer) { return judge("numpy", sample_case(), answer).records; }

TEST(SecondRun, IsForDeathsAndForViolationsOfLifetimeRules) {
  EXPECT_FALSE(needs_second_run(run(answered({Kind::pass, Kind::pass, Kind::unsupported}))));
  EXPECT_FALSE(needs_second_run(run(answered({Kind::violated, Kind::pass, Kind::pass})))) << "not about lifetime";
  EXPECT_TRUE(needs_second_run(run(answered({Kind::pass, Kind::violated, Kind::pass}))));
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
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::violated, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  std::vector<Record> other_case = clean;
  other_case[1].case_id = "another";
  EXPECT_EQ(statuses(confirm(leak, other_case)), statuses(leak));
  std::vector<Record> other_rule = clean;
  other_rule[1].rule = RuleId::tensor_zero_copy;
  EXPECT_EQ(statuses(confirm(leak, other_rule)), statuses(leak));
  EXPECT_EQ(statuses(confirm(leak, std::span(clean).first(1))), statuses(leak));
}

TEST(Confirm, AFailureInBothRunsStands) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::violated, Kind::pass}));
  EXPECT_EQ(statuses(confirm(leak, leak)), statuses(leak));
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  EXPECT_EQ(statuses(confirm(crash, crash)), statuses(crash));
}

TEST(Confirm, AFailureInOneRunIsInfo) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::violated, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  for (const std::vector<Record>& merged : {confirm(leak, clean), confirm(clean, leak)}) {
    EXPECT_EQ(statuses(merged), (std::vector{Verdict::pass, Verdict::info, Verdict::pass}));
    EXPECT_EQ(merged[1].observed, "in one of two runs (fail): seen");
    EXPECT_EQ(merged[1].mitigation, find_mitigation("seen-once"));
    EXPECT_FALSE(merged[1].reproduce.empty());
  }
}

TEST(Confirm, WhatWasNotRepeatedIsInfoButForDeaths) {
  const std::vector<Record> leak = unconfirmed(run(answered({Kind::violated, Kind::violated, Kind::pass})));
  EXPECT_EQ(statuses(leak), (std::vector{Verdict::fail, Verdict::info, Verdict::pass}));
  EXPECT_EQ(leak[1].observed, "in the only run that there was time for (fail): seen");
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  EXPECT_EQ(statuses(unconfirmed(crash)), statuses(crash));
}

TEST(Confirm, ADeathInOneRunLeavesTheOtherRulesTheirAnswer) {
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  const std::vector<Record> clean = run(answered({Kind::unsupported, Kind::pass, Kind::pass}));
  for (const std::vector<Record>& merged : {confirm(crash, clean), confirm(clean, crash)}) {
    EXPECT_EQ(statuses(merged), (std::vector{Verdict::unsupported, Verdict::pass, Verdict::info}));
  }
}

TEST(Confirm, AViolationThatADeathHidInOneRunStands) {
  const std::vector<Record> leak = run(answered({Kind::pass, Kind::violated, Kind::pass}));
  const std::vector<Record> crash = run(death(Answer::Kind::crash));
  EXPECT_EQ(statuses(confirm(leak, crash)), (std::vector{Verdict::pass, Verdict::fail, Verdict::info}));
  EXPECT_EQ(statuses(confirm(crash, leak)), (std::vector{Verdict::pass, Verdict::fail, Verdict::info}));
}

TEST(Confirm, ViolationsOfOtherRulesNeedNoSecondRun) {
  const std::vector<Record> wrong = run(answered({Kind::violated, Kind::violated, Kind::pass}));
  const std::vector<Record> clean = run(answered({Kind::pass, Kind::pass, Kind::pass}));
  EXPECT_EQ(statuses(confirm(wrong, clean)), (std::vector{Verdict::fail, Verdict::info, Verdict::pass}));
}

}  // namespace
}  // namespace dlspec::conformance
