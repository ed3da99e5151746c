#include <dlspec/conformance/verdict/verdict.h>

#include <set>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/verdict/sample_answers.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

Verdict default_of(Level level) {
  if (level == Level::must || level == Level::implied) return Verdict::fail;
  return level == Level::should ? Verdict::warn : Verdict::info;
}

TEST(StatusOf, AViolationFollowsTheLevelUnlessTheTableOverridesIt) {
  std::set<Level> levels;
  for (const Rule& row : rules()) {
    EXPECT_EQ(status_of(row.rule, outcome_of(Kind::violated)), row.violated) << row.id;
    if (row.violated == default_of(row.level)) levels.insert(row.level);
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

TEST(StatusOf, ACheckMayOverrideTheStatusOfAViolation) {
  Outcome outcome = outcome_of(Kind::violated);
  outcome.verdict = Verdict::warn;
  EXPECT_EQ(status_of(RuleId::managed_deleter_once, outcome), Verdict::warn);
  outcome.kind = Kind::pass;
  EXPECT_EQ(status_of(RuleId::managed_deleter_once, outcome), Verdict::pass) << "only for a violation";
}

TEST(Judge, ADeathByAStructThatNoProducerMayMakeIsInformation) {
  Case work = sample_case();
  work.primary = RuleId::tensor_element_address;
  for (const Answer::Kind kind : {Answer::Kind::crash, Answer::Kind::timeout}) {
    work.id = "consumer/float32/c/hostile=null-data";
    const std::vector<Record> mild = judge("x", work, death(kind)).records;
    EXPECT_EQ(statuses(mild), (std::vector{Verdict::info, Verdict::blocked, Verdict::blocked}));
    EXPECT_EQ(mild[0].mitigation, find_mitigation("hostile-struct"));
    EXPECT_TRUE(covers(*mild[0].mitigation, rule(work.primary)));
    EXPECT_TRUE(needs_second_run(mild));
    work.id = "consumer/float32/c/rank=65";
    EXPECT_EQ(statuses(judge("x", work, death(kind)).records)[0],
              kind == Answer::Kind::crash ? Verdict::crash : Verdict::timeout);
  }
}

TEST(Judge, AnEmptyTensorThatIsWalkedAlongToALimitIsInformation) {
  Case work = case_of(RuleId::abi_shape_int64);
  work.id = "consumer/float32/empty/extent=4294967299";
  Answer answer = death(Answer::Kind::timeout);
  EXPECT_EQ(statuses(judge("x", work, answer).records), std::vector{Verdict::info});
  answer.kind = Answer::Kind::crash;
  EXPECT_EQ(statuses(judge("x", work, answer).records), std::vector{Verdict::crash});
  answer.text = "memory limit: more than 4096 MiB resident";
  const std::vector<Record> mild = judge("x", work, answer).records;
  EXPECT_EQ(statuses(mild), std::vector{Verdict::info});
  EXPECT_EQ(mild[0].mitigation, find_mitigation("extent-walked"));
  EXPECT_TRUE(covers(*mild[0].mitigation, rule(work.primary)));
  const Case other = case_of(RuleId::tensor_element_address);
  EXPECT_EQ(statuses(judge("x", other, answer).records), std::vector{Verdict::crash}) << "of an ordinary tensor";
}

TEST(Judge, AMillionAxesThatAreWalkedAlongToALimitAreInformation) {
  Case work = case_of(RuleId::tensor_ndim_cap_refused);
  work.variant = "rank=1048576";
  Answer answer = death(Answer::Kind::timeout);
  const std::vector<Record> mild = judge("x", work, answer).records;
  EXPECT_EQ(statuses(mild), std::vector{Verdict::info});
  EXPECT_EQ(mild[0].mitigation, find_mitigation("axes-walked"));
  EXPECT_TRUE(covers(*mild[0].mitigation, rule(work.primary)));
  answer.kind = Answer::Kind::crash;
  EXPECT_EQ(statuses(judge("x", work, answer).records), std::vector{Verdict::crash});
  answer.text = "memory limit: more than 4096 MiB resident";
  EXPECT_EQ(statuses(judge("x", work, answer).records), std::vector{Verdict::info});
  work.variant = "rank=129";
  EXPECT_EQ(statuses(judge("x", work, answer).records), std::vector{Verdict::crash});
}

TEST(Judge, AnImportInsideAnotherThatIsNeverAnsweredIsInformation) {
  Case work = case_of(RuleId::managed_deleter_once);
  work.variant = "nested";
  const std::vector<Record> mild = judge("x", work, death(Answer::Kind::timeout)).records;
  EXPECT_EQ(statuses(mild), std::vector{Verdict::info});
  EXPECT_TRUE(covers(*mild[0].mitigation, rule(work.primary)));
  EXPECT_EQ(statuses(judge("x", work, death(Answer::Kind::crash)).records), std::vector{Verdict::crash});
  work.variant = "released-inside";
  EXPECT_EQ(statuses(judge("x", work, death(Answer::Kind::timeout)).records), std::vector{Verdict::timeout});
}

TEST(Judge, ManyRoundsOnAPathThatTakeTooLongAreInformation) {
  Case work = case_of(RuleId::managed_deleter_frees_self);
  work.id = "producer/float32/c/path:before=refusal+stimulus=many-consumed";
  const std::vector<Record> mild = judge("x", work, death(Answer::Kind::timeout)).records;
  EXPECT_EQ(statuses(mild), std::vector{Verdict::info});
  EXPECT_TRUE(covers(*mild[0].mitigation, rule(work.primary)));
  EXPECT_EQ(statuses(judge("x", work, death(Answer::Kind::crash)).records), std::vector{Verdict::crash});
  work.id = "producer/float32/c/many-consumed";
  EXPECT_EQ(statuses(judge("x", work, death(Answer::Kind::timeout)).records), std::vector{Verdict::timeout});
}

Outcome mitigated(Kind kind, const char* id) {
  Outcome outcome = outcome_of(kind);
  outcome.mitigation = find_mitigation(id);
  return outcome;
}

TEST(StatusOf, AMitigationGivesTheStatusOfAViolation) {
  Outcome outcome = mitigated(Kind::violated, "major-zero");
  outcome.verdict = Verdict::fail;
  EXPECT_EQ(status_of(RuleId::version_major_mismatch_release, outcome), Verdict::warn);
  outcome.kind = Kind::pass;
  EXPECT_EQ(status_of(RuleId::version_major_mismatch_release, outcome), Verdict::pass) << "only for a violation";
}

// The records and the faults of a case of one rule.
Judged judge_one(RuleId rule, const Outcome& outcome) {
  const Case work = case_of(rule);
  Answer answer;
  answer.outcomes[rule] = outcome;
  return judge("numpy", work, answer);
}

TEST(Judge, ARecordThatIsMilderThanItsLevelHasAMitigation) {
  const Judged zero = judge_one(RuleId::version_major_mismatch_release, mitigated(Kind::violated, "major-zero"));
  EXPECT_TRUE(zero.faults.empty());
  EXPECT_EQ(zero.records[0].mitigation, find_mitigation("major-zero"));
  const Judged late = judge_one(RuleId::managed_deleter_once, mitigated(Kind::info, "released-late"));
  EXPECT_TRUE(late.faults.empty());
  EXPECT_EQ(late.records[0].mitigation, find_mitigation("released-late"));
  const Judged copied = judge_one(RuleId::tensor_zero_copy, outcome_of(Kind::violated));
  EXPECT_TRUE(copied.faults.empty());
  EXPECT_EQ(copied.records[0].mitigation, find_mitigation("needless-import-copy")) << "the row of the whole rule";
  const Judged failing = judge_one(RuleId::managed_deleter_once, outcome_of(Kind::violated));
  EXPECT_EQ(failing.records[0].mitigation, nullptr);
}

TEST(Judge, MildnessWithoutAMitigationIsAFault) {
  Outcome warned = outcome_of(Kind::violated);
  warned.verdict = Verdict::warn;
  EXPECT_EQ(judge_one(RuleId::managed_deleter_once, warned).faults,
            (std::vector<std::string>{"numpy: managed.deleter-once in consumer/float32/c/null-deleter is judged warn "
                                      "without a mitigation"}));
  EXPECT_EQ(judge_one(RuleId::managed_deleter_once, outcome_of(Kind::info)).faults.size(), 1U);
  EXPECT_EQ(judge_one(RuleId::managed_deleter_once, mitigated(Kind::violated, "major-zero")).faults,
            (std::vector<std::string>{"numpy: managed.deleter-once in consumer/float32/c/null-deleter is judged warn "
                                      "by the mitigation major-zero"}));
  EXPECT_TRUE(judge_one(RuleId::dtype_roundtrip, outcome_of(Kind::info)).faults.empty()) << "a convention";
}

TEST(Judge, GivesOneRecordForEachRuleInOrder) {
  const Judged judged = judge("numpy", sample_case(), answered({Kind::pass, Kind::violated, Kind::unsupported}));
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

TEST(Judge, HasNoTextsForWhatPassedOrDidNotApply) {
  const Judged judged = judge("numpy", sample_case(), answered({Kind::pass, Kind::not_applicable, Kind::pass}));
  for (const Record& record : judged.records) {
    EXPECT_EQ(record.observed + record.allowed + record.reproduce, "");
  }
}

TEST(Judge, TheObservationOfAnExchangeIsInTheRecordOfThePrimaryRule) {
  Answer answer = answered({Kind::pass, Kind::pass, Kind::violated});
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

TEST(Judge, RulesThatTheCaseDoesNotHaveAreIgnored) {
  Answer answer = answered({Kind::pass, Kind::pass, Kind::pass});
  answer.outcomes[RuleId::flags_default_zero] = outcome_of(Kind::violated);
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

TEST(Judge, SaysWhatIsAllowedInsteadOfADeath) {
  std::set<std::string> allowed;
  for (const RuleId culprit :
       {RuleId::tensor_element_address, RuleId::managed_no_touch_after_delete, RuleId::flags_read_only_not_written,
        RuleId::managed_deleter_nothrow, RuleId::managed_deleter_after_finalize, RuleId::exchange_no_cpp_exceptions}) {
    allowed.insert(allowed_for(Answer::Kind::crash, culprit));
  }
  EXPECT_EQ(allowed.size(), 6U);
  EXPECT_FALSE(allowed.contains("an answer or a refusal by an error"));
  for (const std::string& text : allowed) EXPECT_GT(text.size(), 10U);
  EXPECT_EQ(allowed_for(Answer::Kind::crash, RuleId::managed_deleter_once), "an answer or a refusal by an error");
  EXPECT_EQ(allowed_for(Answer::Kind::crash, std::nullopt), "an answer or a refusal by an error");
  EXPECT_EQ(allowed_for(Answer::Kind::timeout, RuleId::tensor_element_address),
            "an answer or a refusal within the deadline");
}

TEST(Judge, RecordsADeathUnderItsCulpritIfTheCaseHasIt) {
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

TEST(ReproduceCommand, IsQuotedWhereAShellWouldReadIt) {
  EXPECT_EQ(reproduce_command("numpy==1.26.4", "a/b", RuleId::tensor_zero_copy),
            "dlspec run numpy==1.26.4 --case a/b --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("", "a", RuleId::tensor_zero_copy), "dlspec run '' --case a --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("./it's mine.py", "a", RuleId::tensor_zero_copy),
            "dlspec run './it'\\''s mine.py' --case a --rules tensor.zero-copy");
  EXPECT_EQ(reproduce_command("$(rm)", "a", RuleId::tensor_zero_copy),
            "dlspec run '$(rm)' --case a --rules tensor.zero-copy");
}

TEST(ReproduceCommand, NamesTheCasesThatHaveToRunBefore) {
  EXPECT_EQ(reproduce_command("numpy", {"a/b", "a/c"}, "a/d"), "dlspec run numpy --case a/b --case a/c --case a/d");
}

}  // namespace
}  // namespace dlspec::conformance
