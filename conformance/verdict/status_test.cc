#include <dlspec/conformance/verdict/status.h>

#include <array>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

std::vector<Record> records_with(std::initializer_list<Verdict> statuses) {
  std::vector<Record> records;
  for (const Verdict status : statuses) {
    Record record;
    record.subject = "lib";
    record.status = status;
    records.push_back(record);
  }
  return records;
}

// The exit status of two records, one that passes and one of each status; without and with --strict.
struct StatusRow {
  Verdict status;
  int plain;
  int strict;
};
constexpr StatusRow status_rows[] = {
    {Verdict::pass, 0, 0},        {Verdict::fail, 1, 1},           {Verdict::warn, 0, 1},    {Verdict::info, 0, 0},
    {Verdict::unsupported, 0, 0}, {Verdict::not_applicable, 0, 0}, {Verdict::blocked, 0, 0}, {Verdict::crash, 1, 1},
    {Verdict::timeout, 1, 1},     {Verdict::skipped, 0, 0},        {Verdict::xfail, 0, 0},   {Verdict::xpass, 4, 4},
};
static_assert(std::size(status_rows) == std::size(all_verdicts));

TEST(ExitStatus, OfEveryRecordStatus) {
  for (const StatusRow& row : status_rows) {
    const std::vector<Record> records = records_with({Verdict::pass, row.status});
    RunFacts facts;
    facts.records = records;
    facts.named = {"lib"};
    EXPECT_EQ(exit_status(facts), row.plain) << verdict_name(row.status);
    facts.strict = true;
    EXPECT_EQ(exit_status(facts), row.strict) << verdict_name(row.status) << " --strict";
  }
}

// Every combination of: a fault, a failing record, a baseline that does not fit.
TEST(ExitStatus, IsThreeBeforeOneBeforeFour) {
  const std::vector<Record> good = records_with({Verdict::pass});
  const std::vector<Record> bad = records_with({Verdict::pass, Verdict::fail});
  const int expected[2][2][2] = {{{0, 4}, {1, 1}}, {{3, 3}, {3, 3}}};  // [fault][violated][misfit]
  for (const int fault : {0, 1}) {
    for (const int violated : {0, 1}) {
      for (const int misfit : {0, 1}) {
        RunFacts facts;
        facts.records = violated != 0 ? bad : good;
        if (fault != 0) facts.faults = {"lib: does not load"};
        if (misfit != 0) facts.misfits = {"numpy.txt:7: stale"};
        EXPECT_EQ(exit_status(facts), expected[fault][violated][misfit]) << fault << violated << misfit;
        EXPECT_EQ(conclude(facts).reasons.size(), static_cast<std::size_t>(fault + violated + 2 * misfit));
      }
    }
  }
}

TEST(ExitStatus, IsThreeWhenANamedSubjectExercisedNothing) {
  const std::vector<Record> records =
      records_with({Verdict::unsupported, Verdict::not_applicable, Verdict::blocked, Verdict::skipped});
  RunFacts facts;
  facts.records = records;
  EXPECT_EQ(exit_status(facts), exit_good) << "it was not named";
  facts.named = {"lib"};
  EXPECT_EQ(exit_status(facts), exit_unjudged);
  EXPECT_EQ(conclude(facts).reasons.front(), "lib: no rule could be exercised");
}

TEST(ExitStatus, SaysWhyANamedSubjectExercisedNothing) {
  std::vector<Record> records;
  const auto add = [&](Role role, const char* reason) {
    records.push_back(records_with({Verdict::unsupported}).front());
    records.back().role = role;
    records.back().observed = reason;
  };
  for (const char* reason : {"no strides", "no make()", "no make()"}) add(Role::producer, reason);
  for (const char* reason : {"no copy", "no from_dlpack()", "no from_dlpack()"}) add(Role::consumer, reason);
  RunFacts facts;
  facts.records = records;
  facts.named = {"lib"};
  EXPECT_EQ(conclude(facts).reasons.front(),
            "lib: no rule could be exercised; as producer, most often: no make(); as consumer, most often: no "
            "from_dlpack()");
}

TEST(ExitStatus, IsThreeWhenANamedRoleExercisedNothing) {
  std::vector<Record> records = records_with({Verdict::unsupported, Verdict::pass});
  records[0].role = Role::consumer;
  records[1].role = Role::producer;
  RunFacts facts;
  facts.records = records;
  facts.named = {"lib"};
  EXPECT_EQ(exit_status(facts), exit_good) << "no role was named";
  facts.named_roles = {Role::producer, Role::consumer};
  EXPECT_EQ(exit_status(facts), exit_unjudged);
  EXPECT_EQ(conclude(facts).reasons.front(), "lib: no rule could be exercised on the consumer, which --role names");
  facts.named_roles = {Role::producer, Role::bridge};
  EXPECT_EQ(exit_status(facts), exit_good) << "nothing was asked of a bridge";
  facts.named = {};
  facts.named_roles = {Role::consumer};
  EXPECT_EQ(exit_status(facts), exit_good) << "the subject was not named";
}

TEST(ExitStatus, OfANamedSubjectWithoutRecordsIsThree) {
  const std::vector<Record> records = records_with({Verdict::pass});
  RunFacts facts;
  facts.records = records;
  facts.named = {"lib", "other"};
  EXPECT_EQ(exit_status(facts), exit_unjudged);
}

TEST(WasExercised, ByEachJudgementAloneAndByNothingElse) {
  for (const Verdict status : all_verdicts) {
    const bool judged = status != Verdict::unsupported && status != Verdict::not_applicable &&
                        status != Verdict::blocked && status != Verdict::skipped;
    EXPECT_EQ(was_exercised(records_with({status}), "lib"), judged) << verdict_name(status);
    EXPECT_FALSE(was_exercised(records_with({status}), "other")) << verdict_name(status);
  }
}

TEST(WasExercised, AnExchangeCountsForProducerAndConsumer) {
  Record record;
  record.producer = "giver";
  record.consumer = "taker";
  for (const char* subject : {"giver", "taker"}) EXPECT_TRUE(was_exercised(std::array{record}, subject)) << subject;
  EXPECT_FALSE(was_exercised(std::array{record}, "onlooker"));
}

TEST(ExitStatus, OfNothingAtAllIsGood) { EXPECT_EQ(exit_status(RunFacts{}), exit_good); }

// Each status under a line that lists a warning, with the listed and with another observation.
struct BaselineRow {
  Verdict seen;
  UnderBaseline same;
  UnderBaseline other;
};
constexpr BaselineRow baseline_rows[] = {
    {Verdict::pass, {Verdict::xpass, Fit::gone}, {Verdict::xpass, Fit::gone}},
    {Verdict::fail, {Verdict::fail, Fit::changed}, {Verdict::fail, Fit::changed}},
    {Verdict::warn, {Verdict::xfail, Fit::expected}, {Verdict::warn, Fit::changed}},
    {Verdict::info, {Verdict::info, Fit::expected}, {Verdict::info, Fit::changed}},
    {Verdict::unsupported, {Verdict::unsupported, Fit::not_judged}, {Verdict::unsupported, Fit::not_judged}},
    {Verdict::not_applicable, {Verdict::not_applicable, Fit::not_judged}, {Verdict::not_applicable, Fit::not_judged}},
    {Verdict::blocked, {Verdict::blocked, Fit::not_judged}, {Verdict::blocked, Fit::not_judged}},
    {Verdict::crash, {Verdict::crash, Fit::changed}, {Verdict::crash, Fit::changed}},
    {Verdict::timeout, {Verdict::timeout, Fit::changed}, {Verdict::timeout, Fit::changed}},
    {Verdict::skipped, {Verdict::skipped, Fit::not_judged}, {Verdict::skipped, Fit::not_judged}},
    {Verdict::xfail, {Verdict::xfail, Fit::not_judged}, {Verdict::xfail, Fit::not_judged}},
    {Verdict::xpass, {Verdict::xpass, Fit::not_judged}, {Verdict::xpass, Fit::not_judged}},
};
static_assert(std::size(baseline_rows) == std::size(all_verdicts));

TEST(UnderBaseline, OfEveryStatus) {
  for (const BaselineRow& row : baseline_rows) {
    for (const bool same : {true, false}) {
      const UnderBaseline got = under_baseline(row.seen, {true, Verdict::warn, same, false});
      const UnderBaseline& wanted = same ? row.same : row.other;
      EXPECT_EQ(got.status, wanted.status) << verdict_name(row.seen) << same;
      EXPECT_EQ(got.fit, wanted.fit) << verdict_name(row.seen) << same;
    }
    const UnderBaseline unlisted = under_baseline(row.seen, {});
    EXPECT_EQ(unlisted.status, row.seen);
    EXPECT_EQ(unlisted.fit, Fit::unlisted);
  }
}

TEST(UnderBaseline, ARuleNewerThanTheBaselineWarnsAtMost) {
  for (const Verdict seen : all_verdicts) {
    const bool failure = seen == Verdict::fail || seen == Verdict::crash || seen == Verdict::timeout;
    EXPECT_EQ(under_baseline(seen, {false, Verdict::fail, false, true}).status, failure ? Verdict::warn : seen);
  }
  EXPECT_EQ(under_baseline(Verdict::fail, {true, Verdict::fail, false, true}).status, Verdict::warn);
  EXPECT_EQ(under_baseline(Verdict::fail, {true, Verdict::fail, true, true}).status, Verdict::xfail);
}

TEST(Conclusion, CountsWhatFails) {
  const std::vector<Record> records = records_with({Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::warn});
  RunFacts facts;
  facts.records = records;
  EXPECT_EQ(conclude(facts).reasons, std::vector<std::string>{"3 records fail"});
  facts.strict = true;
  EXPECT_EQ(conclude(facts).reasons, std::vector<std::string>{"4 records fail"});
}

TEST(Conclusion, CountsOneAndTwo) {
  for (const auto& [records, reason] : {std::pair{records_with({Verdict::fail}), "1 record fails"},
                                        std::pair{records_with({Verdict::fail, Verdict::fail}), "2 records fail"}}) {
    RunFacts facts;
    facts.records = records;
    EXPECT_EQ(conclude(facts).reasons, std::vector<std::string>{reason});
  }
}

}  // namespace
}  // namespace dlspec::conformance
