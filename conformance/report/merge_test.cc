#include <algorithm>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/merge.h>
#include <dlspec/conformance/verdict/verdict.h>

namespace dlspec::conformance {
namespace {

// A run in which everything passed, whole or one shard of it.
Document run_of(const std::string& subject, std::optional<Shard> shard = std::nullopt) {
  Selection selection;
  selection.cases = "*/float32/*";
  if (shard) selection.shard = shard->index;
  if (shard) selection.shards = shard->count;
  Document document = sample_document();
  document.shard = shard;
  document.subjects[0].subject = subject;
  document.results.clear();
  for (const Case& work : make_plan(selection)) {
    Answer answer;
    for (const RuleId id : work.rules) answer.outcomes[id] = Outcome{};
    const Judged judged = judge(subject, work, answer);
    document.results.insert(document.results.end(), judged.records.begin(), judged.records.end());
  }
  return document;
}

std::string problem(const std::vector<NamedDocument>& inputs) {
  const ReadDocument merged = merge_documents(inputs);
  EXPECT_NE(merged.document.has_value(), !merged.error.empty());
  return merged.error;
}

TEST(Merge, OfAllShardsIsTheWholeRun) {
  Document run = run_of("numpy");
  fill_figures(run);
  const std::string whole = write_document(run);
  for (const std::uint32_t count : {1u, 2u, 5u}) {
    std::vector<NamedDocument> shards;
    for (std::uint32_t index = count; index >= 1; --index) {  // in any order
      shards.push_back({std::to_string(index), run_of("numpy", Shard{index, count})});
    }
    const ReadDocument merged = merge_documents(shards);
    ASSERT_EQ(merged.error, "");
    if (count == 1) continue;  // a single document is not changed
    EXPECT_EQ(write_document(*merged.document), whole) << count;
  }
}

TEST(Merge, OfDifferentSubjectsPutsThemTogether) {
  const ReadDocument merged =
      merge_documents(std::vector<NamedDocument>{{"a", run_of("numpy")}, {"b", run_of("torch")}});
  ASSERT_EQ(merged.error, "");
  ASSERT_EQ(merged.document->subjects.size(), 2u);
  EXPECT_EQ(merged.document->results.size(), 2 * run_of("numpy").results.size());
  EXPECT_EQ(merged.document->results.back().subject, "torch");
}

TEST(Merge, RefusesTwoAnswersForOneSubject) {
  EXPECT_EQ(problem({{"a", run_of("numpy")}, {"b", run_of("numpy")}}),
            "numpy was judged in a and b, and not as shards of one plan");
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", run_of("numpy", Shard{1, 2})}}),
            "a and b are both shard 1/2 of numpy");
}

TEST(Merge, RefusesMissingShards) {
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 3})}, {"b", run_of("numpy", Shard{3, 3})}}),
            "shard 2/3 of numpy is missing");
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", run_of("torch")}}), "shard 2/2 of numpy is missing");
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{2, 2})}}), "shard 1/2 of numpy is missing");
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 1})}}), "");
}

TEST(Merge, RefusesShardsOfDifferentPlans) {
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", run_of("numpy", Shard{2, 3})}}),
            "numpy was judged in a and b, but not with the same number of shards");
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", run_of("numpy")}}),
            "numpy was judged in a and b, and not as shards of one plan");
}

TEST(Merge, RefusesRecordsOfAnotherShard) {
  Document wrong = run_of("numpy", Shard{1, 2});
  wrong.shard = Shard{2, 2};
  const std::string first_case = wrong.results.front().case_id;
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", wrong}}),
            "b: " + first_case + " does not belong to shard 2/2");
}

// One shard of `dlspec fuzz`, with what it found, or clean.
NamedDocument fuzzed(std::uint32_t index, const std::vector<std::string>& observed) {
  Document document = run_of("numpy", Shard{index, 2});
  document.results.clear();
  Record record;
  record.subject = "numpy";
  record.rule = RuleId::managed_exports_independent;
  record.case_id = "producer/float32/c/sequence=fuzz";
  for (const std::string& each : observed) {
    record.status = Verdict::fail;
    record.observed = each;
    document.results.push_back(record);
  }
  if (observed.empty()) document.results.push_back(record);
  return {std::to_string(index), document};
}

TEST(Merge, OfFuzzedShardsTellsEachFindingOnce) {
  const auto found = [](const NamedDocument& one, const NamedDocument& other) {
    const ReadDocument merged = merge_documents(std::vector<NamedDocument>{one, other});
    EXPECT_EQ(merged.error, "");
    std::vector<std::string> observed;
    for (const Record& record : merged.document->results) observed.push_back(record.observed);
    return observed;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(found(fuzzed(1, {}), fuzzed(2, {})), Texts{""}) << "clean";
  EXPECT_EQ(found(fuzzed(1, {"a"}), fuzzed(2, {})), Texts{"a"});
  EXPECT_EQ(found(fuzzed(1, {"a", "b"}), fuzzed(2, {"c", "a"})), (Texts{"a", "b", "c"}));
}

TEST(Merge, RefusesRunsThatDoNotBelongTogether) {
  Document newer = run_of("torch");
  newer.version = "0.2.0";
  EXPECT_EQ(problem({{"a", run_of("numpy")}, {"b", newer}}),
            "a and b were made by different dlspecs (0.1.0 0123abc, 0.2.0 0123abc)");
  Document seeded = run_of("torch");
  seeded.seed = 8;
  EXPECT_EQ(problem({{"a", run_of("numpy")}, {"b", seeded}}), "a and b have different seeds");
  Document other = run_of("numpy", Shard{2, 2});
  other.subjects[0].version = "1.26.4";
  EXPECT_EQ(problem({{"a", run_of("numpy", Shard{1, 2})}, {"b", other}}),
            "numpy was judged in a and b, but these are different libraries or versions");
}

TEST(Merge, OfNothingIsRefused) { EXPECT_EQ(problem({}), "there is no document to merge"); }

TEST(Merge, KeepsTheSecondsOfWholeRuns) {
  Document numpy = run_of("numpy");
  Document torch = run_of("torch");
  numpy.seconds = {{"numpy", {0, 1, 2}}};
  torch.seconds = {{"torch", {3, 4, 5}}};
  const ReadDocument merged = merge_documents(std::vector<NamedDocument>{{"a", numpy}, {"b", torch}});
  EXPECT_EQ(merged.document->seconds, (std::map<std::string, Seconds>{{"numpy", {0, 1, 2}}, {"torch", {3, 4, 5}}}));
}

TEST(Merge, KeepsWhatAllHostsShare) {
  Document elsewhere = run_of("torch");
  elsewhere.host["machine"] = "aarch64";
  const ReadDocument merged = merge_documents(std::vector<NamedDocument>{{"a", run_of("numpy")}, {"b", elsewhere}});
  EXPECT_EQ(merged.document->host, (std::map<std::string, std::string>{{"system", "Linux"}}));
}

}  // namespace
}  // namespace dlspec::conformance
