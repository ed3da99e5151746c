// When the control cases of a subject run, and what becomes of the results where they show something wrong.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/judging/fake_worker.h>

namespace dlspec::conformance {
namespace {

// The fake worker passes everything, which is correct only for the conforming control case.
ControlCase control(const char* kind) {
  Case asked = work("known");
  asked.control = kind;
  const bool good = asked.control == "good";
  return {asked, good ? std::nullopt : std::optional(RuleId::tensor_element_address)};
}

TEST(ScheduleControls, RunBeforeTheFirstAndAfterTheLastCase) {
  Task one = task(":", {work("a")});
  one.controls = {control("good")};
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "pass pass ");
  EXPECT_TRUE(result.faults.empty());
  one.controls.push_back(control("bad"));
  const std::string what =
      "dlspec's own faulty producer (producer/float32/c/known) was not found to break "
      "tensor.element-address; the results of this subject cannot be trusted";
  EXPECT_EQ(run_one(one).faults,
            (std::vector<std::string>{"fake: before the first case " + what, "fake: after the last case " + what}));
}

TEST(ScheduleControls, ACrashInAnOpeningControlCaseBlocksTheSubject) {
  Task one = task(R"(case "$line" in *'"known":'*) kill -SEGV $$;; esac)", {work("a")});
  one.controls = {control("good")};
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "blocked blocked ");
  EXPECT_EQ(result.faults, std::vector<std::string>{"fake: the worker does not survive dlspec's control cases: "
                                                    "killed by SIGSEGV before answering"});
}

TEST(ScheduleControls, ADeathBeforeTheClosingControlCasesIsRecordedInTheLastCase) {
  const std::string late = R"(case "$line" in
    *'"late"'*) echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{}}" >&3; sleep 0.1; kill -SEGV $$;; esac)";
  Task one = task(late, {work("a"), work("late")});
  one.controls = {control("good")};
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "pass pass crash blocked ");
  EXPECT_TRUE(result.faults.empty());
}

TEST(ScheduleControls, ACrashInAClosingControlCaseIsAFault) {
  Task one = task(R"(case "$line" in *'"known":'*) [ "$n" = 1 ] || kill -SEGV $$;; esac)", {work("a")});
  one.controls = {control("good")};
  const auto result = run_one(one);
  EXPECT_EQ(statuses(result), "pass pass ");
  EXPECT_EQ(result.faults,
            std::vector<std::string>{"fake: after the last case the control cases failed: killed by SIGSEGV "
                                     "before answering; the results of this subject cannot be trusted"});
}

}  // namespace
}  // namespace dlspec::conformance
