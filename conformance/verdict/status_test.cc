#include <dlspec/conformance/verdict/status.h>

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

// What one record of each status, beside one that passed, gives: plain and under --strict.
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
  const int expected[2][2][2] = {{{0, 4}, {1, 1}}, {{3, 3}, {3, 3}}};  // [fault][broken][misfit]
  for (const int fault : {0, 1}) {
    for (const int broken : {0, 1}) {
      for (const int misfit : {0, 1}) {
        RunFacts facts;
        facts.records = broken != 0 ? bad : good;
        if (fault != 0) facts.faults = {"lib: does not load"};
        facts.baseline_misfit = misfit != 0;
        EXPECT_EQ(exit_status(facts), expected[fault][broken][misfit]) << fault << broken << misfit;
        EXPECT_EQ(conclude(facts).reasons.size(), static_cast<std::size_t>(fault + broken + misfit));
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

TEST(ExitStatus, OfANamedSubjectWithoutRecordsIsThree) {
  const std::vector<Record> records = records_with({Verdict::pass});
  RunFacts facts;
  facts.records = records;
  facts.named = {"lib", "other"};
  EXPECT_EQ(exit_status(facts), exit_unjudged);
}

TEST(ExitStatus, OfNothingAtAllIsGood) { EXPECT_EQ(exit_status(RunFacts{}), exit_good); }

TEST(Conclusion, CountsWhatFails) {
  const std::vector<Record> records = records_with({Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::warn});
  RunFacts facts;
  facts.records = records;
  EXPECT_EQ(conclude(facts).reasons, std::vector<std::string>{"3 records fail"});
  facts.strict = true;
  EXPECT_EQ(conclude(facts).reasons, std::vector<std::string>{"4 records fail"});
}

}  // namespace
}  // namespace dlspec::conformance
