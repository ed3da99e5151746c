#include <dlspec/conformance/verdict/whole.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/verdict/verdict.h>

namespace dlspec::conformance {
namespace {

std::vector<Case> plan() {
  Selection selection;
  selection.cases = "producer/float32/c/copy=*";
  return make_plan(selection);
}

std::vector<Record> records() {
  std::vector<Record> all;
  for (const Case& work : plan()) {
    Judged judged = judge("lib", work, {Answer::Kind::blocked, {}, "why"});
    all.insert(all.end(), judged.records.begin(), judged.records.end());
  }
  return all;
}

TEST(Whole, IsWhatHasARecordForEachRuleOfEachCase) {
  EXPECT_GE(plan().size(), 3u);
  EXPECT_EQ(plan_mismatch(plan(), records()), "");
  EXPECT_EQ(plan_mismatch({}, {}), "");
}

TEST(Whole, IsNotWhatLacksOneHasOneTwiceOrInAnotherPlace) {
  for (std::size_t i = 0; i < records().size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    std::vector<Record> missing = records();
    missing.erase(missing.begin() + at);
    EXPECT_EQ(plan_mismatch(plan(), missing), std::string(rule(records()[i].rule).id) + " in " + records()[i].case_id +
                                                  " was planned and is not reported in its place");
    std::vector<Record> twice = records();
    twice.insert(twice.begin() + at, twice[i]);
    EXPECT_NE(plan_mismatch(plan(), twice), "");
    if (i == 0) continue;
    std::vector<Record> swapped = records();
    std::swap(swapped[i - 1], swapped[i]);
    EXPECT_NE(plan_mismatch(plan(), swapped), "");
  }
  std::vector<Record> elsewhere = records();
  elsewhere.front().case_id = "another";
  EXPECT_NE(plan_mismatch(plan(), elsewhere), "");
  std::vector<Record> more = records();
  more.push_back(more.front());
  EXPECT_NE(plan_mismatch(plan(), more).find("is reported and was not planned"), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
