#include <dlspec/conformance/core/folding.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/sample_document.h>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::json;

constexpr RuleId first_rule = RuleId::tensor_element_address, other_rule = RuleId::tensor_shape_truthful;

// As the first releases wrote it: every record whole, no digest.
constexpr const char* unfolded =
    R"({"schema": "dlspec-result/1", "dlspec": {"version": "0.1.0", "commit": ""}, "seed": 3,
  "host": {}, "subjects": [{"subject": "numpy", "name": "NumPy", "version": "2", "kind": "python",
  "roles": ["producer"], "requirement": "", "loaded_from": "", "interpreter": ""}],
  "results": [
  {"subject": "numpy", "role": "producer", "rule": "tensor.element-address", "case": "producer/float32/c/x",
   "level": "must", "status": "pass"},
  {"subject": "numpy", "role": "producer", "rule": "tensor.shape-truthful", "case": "producer/float32/c/x",
   "level": "implied", "status": "fail", "observed": "seen", "allowed": "other", "reproduce": "dlspec run numpy"}],
  "rules": {"specified": 1, "checked": 1, "tested": 1, "exercised": 1, "exercised_ids": []},
  "summary": {"pass": 1, "fail": 1}})";

// Cases of two rules each: one finding, and what no library is asked whole for.
std::vector<Record> many_records(std::size_t cases) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < cases; ++i) {
    const std::string id = "producer/float32/c/" + std::to_string(i);
    records.push_back(sample_record(first_rule, i == 7 ? Verdict::fail : Verdict::pass, id, "seen"));
    records.push_back(sample_record(other_rule, Verdict::unsupported, id, "no such thing"));
  }
  return records;
}

Document with_records(std::vector<Record> records) {
  Document document = sample_document();
  document.results = std::move(records);
  return document;
}

std::string error_of(const Json& document) { return parse_document(document.dump(), "r.json").error; }

TEST(Folding, TellsEveryRecord) {
  const std::vector<Record> records = many_records(100);
  const Folded folded = fold(records);
  EXPECT_EQ(folded.whole, std::vector<const Record*>{&records[14]});
  EXPECT_EQ(folded.folding.rules.size(), 1u);
  EXPECT_EQ(folded.folding.patterns.size(), 2u);
  EXPECT_EQ(folded.folding.outcomes.size(), 2u);
  const Unfolded again = unfold(folded.folding, {records[14]});
  ASSERT_EQ(again.error, "");
  ASSERT_EQ(again.records.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(again.records[i].case_id, records[i].case_id) << i;
    EXPECT_EQ(again.records[i].rule, records[i].rule) << i;
    EXPECT_EQ(again.records[i].status, records[i].status) << i;
    EXPECT_EQ(again.records[i].observed, records[i].observed) << i;
    EXPECT_EQ(again.records[i].reproduce, records[i].reproduce) << i;
  }
}

TEST(Folding, GrowsByTheNameOfACaseAlone) {
  const std::size_t some = write_document(with_records(many_records(100))).size();
  const std::size_t more = write_document(with_records(many_records(200))).size();
  EXPECT_LT(more - some, 100 * std::string("\"producer/float32/c/100\",").size() + 10);
}

// A finding that the baseline expects is one of many that are alike.
TEST(Folding, TellsWhatTheBaselineExpects) {
  std::vector<Record> records = many_records(50);
  for (std::size_t i = 1; i < records.size(); i += 2) {
    records[i].status = Verdict::xfail;
    records[i].without_baseline = i % 4 == 1 ? Verdict::fail : Verdict::warn;
    if (i % 4 == 3) records[i].mitigation = find_mitigation("seen-once");
  }
  const Folded folded = fold(records);
  EXPECT_EQ(folded.whole, std::vector<const Record*>{&records[14]});
  EXPECT_EQ(folded.folding.outcomes.size(), 3u);
  const std::string text = write_document(with_records(records));
  const ReadDocument read = parse_document(text, "r.json");
  ASSERT_EQ(read.error, "");
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(read.document->results[i].status, records[i].status) << i;
    EXPECT_EQ(read.document->results[i].without_baseline, records[i].without_baseline) << i;
    EXPECT_EQ(read.document->results[i].mitigation, records[i].mitigation) << i;
  }
  EXPECT_EQ(write_document(*read.document), text);
}

TEST(Folding, KeepsTheFirstFindingsThatAreAlikeWhole) {
  std::vector<Record> records = many_records(2 * whole_findings);
  for (Record& record : records) record = sample_record(record.rule, Verdict::fail, record.case_id, "seen");
  const Folded folded = fold(records);
  ASSERT_EQ(folded.whole.size(), 2 * whole_findings);  // of two rules
  EXPECT_EQ(folded.whole.back(), &records[2 * whole_findings - 1]);
  const std::string text = write_document(with_records(records));
  const ReadDocument read = parse_document(text, "r.json");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.document->results.back().status, Verdict::fail);
  EXPECT_EQ(read.document->results.back().observed, "seen");
  EXPECT_EQ(read.document->results.back().reproduce, records.back().reproduce);
  EXPECT_EQ(write_document(*read.document), text);
}

TEST(Folding, KeepsWholeWhatCannotBeTold) {
  std::vector<Record> records = many_records(3);
  records[0].without_baseline = Verdict::fail;
  records[1].reproduce = "dlspec run {case}";
  records[4].observation = ExchangeObservation{"t", "kept", "shared", ""};
  EXPECT_EQ(fold(records).whole, (std::vector<const Record*>{&records[0], &records[1], &records[4]}));
  records[4].observation.reset();  // only exchanges have one
  const std::string text = write_document(with_records(records));
  const ReadDocument read = parse_document(text, "r.json");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.document->results[1].reproduce, "dlspec run {case}");
  EXPECT_EQ(write_document(*read.document), text);
}

TEST(Folding, OfDocumentsThatAreNotIsTheSame) {
  const ReadDocument older = parse_document(unfolded, "r.json");
  ASSERT_EQ(older.error, "");
  ASSERT_EQ(older.document->results.size(), 2u);
  EXPECT_EQ(older.document->results[1].reproduce, "dlspec run numpy");
  const std::string text = write_document(*older.document);
  EXPECT_EQ(write_document(*parse_document(text, "r.json").document), text);
  Json wrong = Json::parse(unfolded);
  wrong["results"][1]["subject"] = "scipy";
  EXPECT_EQ(error_of(wrong), "r.json: results[1]: \"scipy\" is not among the subjects");
  wrong = Json::parse(unfolded);
  wrong["results"][1]["rule"] = "tensor.element-address";
  EXPECT_EQ(error_of(wrong), "r.json: results[1]: tensor.element-address in producer/float32/c/x occurs twice");
}

TEST(Folding, ThatDoesNotHoldTogetherIsRefused) {
  const Json good = Json::parse(write_document(with_records(many_records(20))));
  ASSERT_EQ(error_of(good), "");
  const struct {
    const char* place;
    Json value;
    const char* error;
  } rows[] = {
      {"/folded", 3, "folded: is no object"},
      {"/folded/rules/0", Json::array(), "folded.rules[0]: is empty"},
      {"/folded/rules/0/0", "tensor.no-such",
       R"(folded.rules[0][0]: "tensor.no-such" is no rule that this dlspec knows)"},
      {"/folded/outcomes/0/status", "good", R"(folded.outcomes[0].status: "good" is no status)"},
      {"/folded/outcomes", Json::array(), "folded.patterns[0].runs[0][1]: is an index of an empty list"},
      {"/folded/patterns/0/rules", 1, "folded.patterns[0].rules: is no whole number in the range 0 to 0"},
      {"/folded/patterns/0/runs/0", {1}, "folded.patterns[0].runs[0]: has fewer than 2 items"},
      {"/folded/patterns/0/runs/0/0", 2, "folded: pattern 0 is one of 3 rules, but its list has 2"},
      {"/folded/patterns/0/runs/0/0", UINT64_MAX, "folded: pattern 0 has a run of 18446744073709551615 rules"},
      {"/folded/patterns/0/runs/0/1", "result", "folded: it has places for 20 of the 1 results"},
      {"/folded/patterns/0/runs/0/1", 2, "folded.patterns[0].runs[0][1]: is no whole number in the range 0 to 1"},
      {"/folded/cases/0/cases/0/0", 2, "folded.cases[0].cases[0][0]: is no whole number in the range 0 to 1"},
      {"/folded/cases/0/subject", "scipy", "folded: its places of producer/float32/c/7 are not those of results[0]"},
      {"/folded/cases/0/cases/1/1", "x", "folded: its places of x are not those of results[0]"},
      {"/folded/cases/0/cases/0/1", "x",
       "digest: is not that of these results: a record was removed, added or changed "
       "since they were written"},
      {"/folded/cases/0/cases/0/1", "producer/float32/c/2",
       "record 5: tensor.element-address in producer/float32/c/2 occurs twice"},
  };
  for (const auto& row : rows) {
    Json wrong = good;
    wrong[Json::json_pointer(row.place)] = row.value;
    EXPECT_EQ(error_of(wrong), "r.json: " + std::string(row.error)) << row.place;
  }
}

// A few kilobytes that say that they are more than fits into memory.
TEST(Folding, OfMoreThanFitsIntoMemoryIsRefused) {
  Folding folding;
  folding.outcomes = {{Verdict::pass, "", "", ""}, {Verdict::blocked, std::string(1 << 20, 'x'), "", ""}};
  folding.rules = {std::vector<RuleId>(5000, first_rule)};
  folding.patterns = {{0, {{5000, 0}}}, {0, {{5000, 1}}}};
  folding.parts = {{"numpy", "", "", Role::producer, {{0, std::vector<std::string>(3000, "c")}}}};
  EXPECT_EQ(unfold(folding, {}).error, "it holds more than 10000000 records");
  folding.parts[0].cases = {{1, {"c"}}};
  EXPECT_EQ(unfold(folding, {}).error, "its records hold more than 4294967296 bytes of text");
}

}  // namespace
}  // namespace dlspec::conformance
