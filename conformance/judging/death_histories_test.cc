// Deaths that need what the worker did before: they are seen again after the fewest cases that suffice.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/judging/exchange_runs.h>
#include <dlspec/conformance/judging/fake_worker.h>

namespace dlspec::conformance {
namespace {

// Dies at a case "lethal" of a process that was asked for one of each of these before.
std::string dies_after(const std::vector<std::string>& variants) {
  std::string script, all;
  for (const std::string& variant : variants) {
    script += "case \"$line\" in *" + variant + "*) " + variant + "=1;; esac\n  ";
    all += "$" + variant;
  }
  return script + "if [ \"" + all + "\" = " + std::string(variants.size(), '1') +
         " ]; then case \"$line\" in *lethal*) kill -SEGV $$;; esac; fi";
}

std::vector<Case> cases_of(const std::vector<std::string>& variants) {
  std::vector<Case> cases;
  for (const std::string& variant : variants) cases.push_back(work(variant));
  return cases;
}

Record death_in(const TaskResult& result) {
  for (const Record& record : result.records) {
    if (record.case_id.ends_with("lethal") && record.rule == RuleId::tensor_element_address) return record;
  }
  return {};
}

TEST(DeathHistories, NameTheCasesThatADeathNeeds) {
  const auto result = run_one(
      task(dies_after({"taint", "spill"}), cases_of({"a", "taint", "b", "c", "d", "spill", "e", "f", "lethal", "g"})));
  const Record death = death_in(result);
  EXPECT_EQ(death.status, Verdict::crash);
  EXPECT_EQ(death.observed, "killed by SIGSEGV before answering, after other cases in the same process");
  EXPECT_EQ(death.reproduce,
            "dlspec run fake --case producer/float32/c/taint --case producer/float32/c/spill"
            " --case producer/float32/c/lethal");
  EXPECT_EQ(death.after.size(), 2U);
}

TEST(DeathHistories, ADeathThatNeedsNothingIsReportedAsItWas) {
  const auto result =
      run_one(task(R"(case "$line" in *lethal*) kill -SEGV $$;; esac)", cases_of({"a", "b", "lethal", "c"})));
  const Record death = death_in(result);
  EXPECT_EQ(death.status, Verdict::crash);
  EXPECT_EQ(death.observed, "killed by SIGSEGV before answering");
  EXPECT_TRUE(death.after.empty());
}

TEST(DeathHistories, ADeathThatIsNotSeenAgainStaysInformation) {
  const std::filesystem::path mark = std::filesystem::path(testing::TempDir()) / "died_once";
  std::filesystem::remove(mark);
  const std::string once = "case \"$line\" in *lethal*) if [ ! -e '" + mark.string() + "' ]; then : > '" +
                           mark.string() + "'; kill -SEGV $$; fi;; esac";
  const Record death = death_in(run_one(task(once, cases_of({"a", "b", "lethal", "c"}))));
  EXPECT_EQ(death.status, Verdict::info);
  EXPECT_EQ(death.observed, "in one of two runs (crash): killed by SIGSEGV before answering");
  std::filesystem::remove(mark);
}

TEST(DeathHistories, CasesThatUnsteadyDeathsBlockAreNotJudged) {
  const std::filesystem::path mark = std::filesystem::path(testing::TempDir()) / "died_of";
  std::filesystem::remove_all(mark);
  std::filesystem::create_directory(mark);
  const std::string each_once = "case \"$line\" in *lethal*) v=${line#*lethal}; v=${v%%[!0-9]*}; if mkdir '" +
                                mark.string() + "'/$v 2>/dev/null; then kill -SEGV $$; fi;; esac";
  const auto result = run_one(task(each_once, cases_of({"lethal1", "lethal2", "lethal3", "lethal4", "a"})));
  EXPECT_EQ(result.faults.size(), 1U);
  for (const std::string& fault : result.faults) {
    EXPECT_NE(fault.find("2 cases were not asked, because the worker died several times"), std::string::npos) << fault;
  }
  std::filesystem::remove_all(mark);
}

TEST(DeathHistories, AreRepeatedOfExchangesToo) {
  ExchangeChoice chosen;
  chosen.subjects.resize(1);
  chosen.subjects[0].text = "numpy";
  std::vector<PairRun> runs(1);
  runs[0].producer = runs[0].consumer = chosen.subjects.data();
  Record record;
  record.case_id = "exchange/float32/c/import";
  record.reproduce = "dlspec run";
  record.after = {"exchange/int8/c/import"};
  runs[0].result.records = {record};
  const Document document = exchange_document(chosen, runs, {""}, {}, {});
  EXPECT_EQ(document.results.at(0).reproduce.find(
                "dlspec matrix numpy --case exchange/int8/c/import --case exchange/float32/c/import"),
            0U)
      << document.results.at(0).reproduce;
}

TEST(DeathHistories, AreTheSameWithAnyNumberOfWorkers) {
  std::vector<Case> cases;
  for (int i = 0; i < 900; ++i) {
    const char* const name = i == 4 ? "taint" : i == 8 ? "lethal" : "fine";
    cases.push_back(work(name == std::string("fine") ? name + std::to_string(i) : name));
  }
  const Task one = task(dies_after({"taint"}), cases);
  for (const unsigned jobs : {1U, 2U, 4U}) {
    const Record death = death_in(run_one(one, options(jobs)));
    EXPECT_EQ(death.status, Verdict::crash) << jobs;
    EXPECT_EQ(death.after, std::vector<std::string>{"producer/float32/c/taint"}) << jobs;
  }
}

}  // namespace
}  // namespace dlspec::conformance
