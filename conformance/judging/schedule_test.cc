// Runs whole plans on fake subjects: the rule that a death is recorded under, the blocked cases, independence of
// --jobs.
#include <dlspec/conformance/judging/schedule.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/judging/fake_worker.h>
#include <dlspec/conformance/verdict/whole.h>

namespace dlspec::conformance {
namespace {

TEST(Schedule, OneRecordForEachRuleOfEachCase) {
  const auto result = run_one(task(":", {work("a"), work("b")}));
  EXPECT_EQ(statuses(result), "pass pass pass pass ");
  EXPECT_TRUE(result.faults.empty());
  EXPECT_EQ(result.ready->name, "Fake");
}

TEST(Schedule, ImportAndJudgementAreTimedApart) {
  Task slow = task("sleep 0.1", {work("a"), work("b")});
  std::string& script = slow.command.arguments[2];
  script = "sleep 0.3; " + script;
  const auto began = std::chrono::steady_clock::now();
  const auto result = run_one(slow);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
  EXPECT_GE(result.importing.count(), 0.3);
  EXPECT_GE(result.judging.count(), 0.2);
  EXPECT_LE(result.importing.count() + result.judging.count(), whole.count());
}

TEST(Schedule, ADeathIsRecordedOnceAndTheRestIsJudged) {
  const auto result =
      run_one(task(R"(case "$line" in *lethal*) kill -SEGV $$;; esac)", {work("a"), work("lethal"), work("b")}));
  EXPECT_EQ(statuses(result), "pass pass crash blocked pass pass ");
  EXPECT_EQ(result.records[2].observed, "killed by SIGSEGV before answering");
}

TEST(Schedule, ADeathAfterTheAnswerIsRecordedInTheCaseThatCausedIt) {
  const std::string late =
      R"(case "$line" in *late*) echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{}}" >&3; sleep 0.1; kill -SEGV $$;; esac)";
  const auto result = run_one(task(late, {work("a"), work("late"), work("b")}));
  EXPECT_EQ(statuses(result), "pass pass crash blocked pass pass ");
  EXPECT_EQ(result.records[2].observed, "killed by SIGSEGV after it had answered");
}

TEST(Schedule, ThreeDeathsUnderOneRuleBlockTheRestOfThatRule) {
  std::vector<Case> cases;
  for (const char* name : {"lethal1", "lethal2", "lethal3", "lethal4"}) cases.push_back(work(name));
  cases.push_back(work("a", RuleId::managed_deleter_once));
  const auto result = run_one(task(R"(case "$line" in *lethal*) exit 0;; esac)", cases));
  EXPECT_EQ(statuses(result), "crash blocked crash blocked crash blocked blocked blocked pass pass ");
  EXPECT_EQ(result.records[6].observed, "the worker died 3 times under tensor.element-address");
}

TEST(Schedule, JobsDoNotChangeARecord) {
  std::vector<Case> cases;
  for (int i = 0; i < 900; ++i) {
    cases.push_back(work((i % 100 == 7 ? "lethal" : "fine") + std::to_string(i),
                         i % 2 ? RuleId::tensor_element_address : RuleId::managed_deleter_once));
  }
  const Task one = task(R"(case "$line" in *lethal*) kill -ABRT $$;; esac)", cases);
  const auto alone = run_one(one, options(1));
  const auto shared = run_one(one, options(4));
  EXPECT_EQ(statuses(alone), statuses(shared));
  for (std::size_t i = 0; i < alone.records.size(); ++i)
    EXPECT_EQ(alone.records[i].observed, shared.records[i].observed);
}

// The worker leaves a deviation of the case "path" to the case "a", which passes; "alone" it reports it.
std::string leaving(const std::string& answer_alone) {
  return R"(case "$line" in
    *path*\"alone\":true*|*\"alone\":true*path*) )" +
         answer_alone + R"(;;
    *path*) echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{\"managed.deleter-once\":{\"outcome\":\"pass\"},
\"tensor.element-address\":{\"outcome\":\"blocked\",\"left_to\":\"tensor.element-address\"}}}" | tr -d '\n' >&3
      echo >&3; continue;; esac)";
}

TEST(Schedule, WhatIsLeftToACaseThatDoesNotShowItIsAskedInANewWorker) {
  const std::string violated =
      R"(echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{\"managed.deleter-once\":{\"outcome\":\"pass\"},
\"tensor.element-address\":{\"outcome\":\"violated\",\"observed\":\"after a refusal\"}}}" | tr -d '\n' >&3
      echo >&3; continue)";
  const auto result = run_one(task(leaving(violated), {work("a"), work("path1"), work("path2")}));
  EXPECT_EQ(statuses(result), "pass pass fail pass blocked pass ");  // the second path has somebody to leave it to
  EXPECT_EQ(result.records[2].observed, "after a refusal");
}

TEST(Schedule, WhatDoesNotShowInANewWorkerIsNoDeviation) {
  const auto result = run_one(task(leaving(":"), {work("a"), work("path1"), work("path2")}));
  EXPECT_EQ(statuses(result), "pass pass pass pass pass pass ");
}

TEST(Schedule, AnExhaustedBudgetIsAFault) {
  ScheduleOptions hasty = options();
  hasty.budget = std::chrono::milliseconds(100);
  // The first case would have answered before its own deadline: it is no timeout.
  const auto began = std::chrono::steady_clock::now();
  const auto result = run_one(task("sleep 5", {work("a"), work("b")}), hasty);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4)) << "the case ends with the budget";
  EXPECT_EQ(statuses(result), "blocked blocked blocked blocked ");
  ASSERT_EQ(result.faults.size(), 1U);
}

TEST(Schedule, WhatThereIsNoTimeToRepeatIsInfo) {
  const std::string leaks = R"(case "$line" in *slow*) sleep 5;;
    *leak*) sleep 2; echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{\"tensor.element-address\":{\"outcome\":\"pass\"},
\"managed.deleter-once\":{\"outcome\":\"violated\",\"observed\":\"no call\"}}}" | tr -d '\n' >&3
      echo >&3; continue;; esac)";
  ScheduleOptions short_of_time = options();
  short_of_time.limits.case_deadline = std::chrono::seconds(10);
  short_of_time.budget = std::chrono::seconds(3);
  const auto result = run_one(task(leaks, {work("leak"), work("slow")}), short_of_time);
  EXPECT_EQ(statuses(result), "pass info blocked blocked ");
  EXPECT_EQ(result.records[1].observed, "in the only run that there was time for (fail): no call");
  EXPECT_EQ(result.faults.size(), 1U);
}

TEST(Schedule, PathsLeaveSomeOfTheBudgetToTheOtherCases) {
  ScheduleOptions short_of_time = options();
  short_of_time.budget = std::chrono::milliseconds(3000);
  const std::vector<Case> cases{work("path:a"), work("path:b"), work("path:c"), work("path:d"), work("other")};
  const auto result = run_one(task(R"(case "$line" in *path:*) sleep 1;; esac)", cases), short_of_time);
  EXPECT_EQ(statuses(result), "pass pass pass pass blocked blocked blocked blocked pass pass ");
}

TEST(Schedule, WorkersOfOneSubjectShareTheBudgetOnTheClock) {
  std::vector<Case> cases;
  for (int i = 0; i < 600; ++i) cases.push_back(work((i < 4 ? "slow" : "fine") + std::to_string(i)));
  ScheduleOptions shared = options(4);
  shared.budget = std::chrono::milliseconds(2000);  // of four workers that need 1 s each, and 4 s together
  const auto result = run_one(task(R"(case "$line" in *slow*) sleep 1;; esac)", cases), shared);
  EXPECT_TRUE(result.faults.empty()) << result.faults[0];
}

TEST(Schedule, ASubjectThatNeverStartsIsBlockedWholeAndTheOthersAreJudged) {
  Task broken = task(":", {work("a")});
  broken.subject = "broken";
  broken.command.arguments = {"/bin/sh", "-c", R"(echo '{"failed":{"stage":"import","message":"no module"}}' >&3)"};
  const std::vector<Task> tasks{broken, task(":", {work("a")})};
  const auto results = run_tasks(tasks, options(2));
  EXPECT_EQ(statuses(results[0]), "blocked blocked ");
  EXPECT_EQ(results[0].faults, std::vector<std::string>{"broken: no module"});
  EXPECT_EQ(statuses(results[1]), "pass pass ");
}

TEST(Schedule, ASubjectWhoseDeviceIsMissingIsSkippedWithTheReason) {
  Task other = task(":", {work("a")});
  other.subject = "other";
  other.command.arguments = {"/bin/sh", "-c", R"(echo '{"failed":{"stage":"device","message":"no GPU"}}' >&3)"};
  const auto result = run_one(other);
  EXPECT_EQ(statuses(result), "skipped skipped ");
  EXPECT_EQ(result.records[0].observed, "no GPU");
  EXPECT_EQ(result.faults, std::vector<std::string>{"other: no GPU"});
}

TEST(Schedule, AFailureInOneOfTwoRunsIsInfo) {
  // Crashes on the first request only, so that the fresh worker passes the same case.
  const std::string file = ::testing::TempDir() + "dlspec-once-" + std::to_string(getpid());
  const auto result = run_one(task("[ -e " + file + " ] || { : > " + file + "; kill -SEGV $$; }", {work("a")}));
  EXPECT_EQ(result.records[0].status, Verdict::info) << result.records[0].observed;
  std::remove(file.c_str());
}

TEST(Schedule, ADeathAtExitIsNoted) {
  Task one = task(":", {work("a")});
  one.command.arguments[2] = "trap 'kill -SEGV $$' EXIT; " + one.command.arguments[2];
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "pass pass ");
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("killed by SIGSEGV at exit"), std::string::npos) << result.notes[0];
}

// Reports a write to read-only data and crashes, for the variants in the shell pattern.
std::string scribbles(const std::string& variants) {
  return R"(case "$line" in )" + variants +
         R"() echo "{\"fault\":{\"pid\":$$,\"access\":\"write\",\"part\":\"data\",\"state\":\"read-only\",)"
         R"(\"where\":\"inside\",\"distance\":0}}" >&3; kill -SEGV $$;; esac)";
}

Case asking_for_writes(const std::string& variant) {
  Case result = work(variant);
  result.rules = {RuleId::tensor_element_address, RuleId::flags_read_only_not_written};
  return result;
}

TEST(Schedule, ADeathIsRecordedUnderTheRuleThatItViolates) {
  const auto result = run_one(task(scribbles("*scribbles*"), {asking_for_writes("scribbles")}));
  EXPECT_EQ(statuses(result), "blocked crash ");
  EXPECT_EQ(result.records[1].observed, "killed by SIGSEGV: it wrote to data that is marked READ_ONLY");
  EXPECT_EQ(result.records[1].allowed, "memory that is only read");
}

TEST(Schedule, ADeathWhoseCulpritAnotherCaseReportsBlocksTheCase) {
  const auto both = run_one(task(scribbles("*scribbles*"), {asking_for_writes("scribbles"), work("scribbles too")}));
  EXPECT_EQ(statuses(both), "blocked crash blocked blocked ");
  EXPECT_EQ(both.records[2].observed,
            "by flags.read-only-not-written: killed by SIGSEGV: it wrote to data that is marked READ_ONLY");
  const auto alone = run_one(task(scribbles("*scribbles*"), {work("scribbles")}));
  EXPECT_EQ(statuses(alone), "crash blocked ") << "no death is lost";
}

TEST(Schedule, ADeathUnderALethalStimulusIsLeftToItsOwnCase) {
  const std::string dies = R"(case "$line" in *lethal*) kill -ABRT $$;; esac)";
  const auto result = run_one(task(dies, {work("lethal"), work("path:before=refusal+stimulus=lethal"),
                                          work("path:before=refusal+stimulus=fine"), work("path:lethal=1")}));
  EXPECT_EQ(statuses(result), "crash blocked blocked blocked pass pass crash blocked ");
  EXPECT_NE(result.records[2].observed.find("with stimulus=lethal"), std::string::npos) << result.records[2].observed;
}

TEST(Schedule, ADeathInADeleterAtExitIsRecordedInTheCaseThatTestsIt) {
  Case last = work("a");
  last.rules = {RuleId::tensor_element_address, RuleId::managed_deleter_after_finalize};
  Task one = task(":", {last, work("b")});
  const std::string entered = R"(echo "{\"exit\":{\"pid\":$$,\"deleter\":\"entered\"}}" >&3; )";
  one.command.arguments[2] = "trap '" + entered + "kill -SEGV $$' EXIT; " + one.command.arguments[2];
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "blocked crash pass pass ");
  EXPECT_TRUE(result.notes.empty());
}

// The report stays complete when workers die in any way at any place, with one or several workers.
TEST(Schedule, WhateverDiesThePlanIsReportedWhole) {
  std::vector<Case> cases;
  for (int i = 0; i < 500; ++i) {
    const char* how[] = {"fine", "segv", "leave", "rubbish", "close"};
    cases.push_back(work(how[i % 60 < 4 ? i % 60 + 1 : 0] + std::to_string(i),
                         i % 2 ? RuleId::tensor_element_address : RuleId::managed_deleter_once));
  }
  const Task one = task(R"(case "$line" in
    *segv*) kill -SEGV $$;; *leave*) exit 0;; *rubbish*) echo rubbish >&3;; *close*) exec 3>&-;; esac)",
                        cases);
  for (const unsigned jobs : {1u, 2u}) EXPECT_EQ(plan_mismatch(cases, run_one(one, options(jobs)).records), "") << jobs;
  Task dead = one;
  dead.command.arguments = {"/no/such/program"};
  EXPECT_EQ(plan_mismatch(cases, run_one(dead).records), "");
}

}  // namespace
}  // namespace dlspec::conformance
