#include <dlspec/conformance/core/document.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

using namespace std::string_literals;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the test looks for " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const ReadDocument read = parse_document(text, "r.json");
  EXPECT_NE(read.document.has_value(), !read.error.empty()) << "a document or an error";
  return read.error;
}

TEST(Document, IsReadBackWithEveryStatus) {
  Document written = sample_document();
  written.shard = Shard{2, 3};
  written.seconds = {{"numpy", {0.5, 0.25, 1.75}}};
  const ReadDocument read = parse_document(write_document(written), "r.json");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.document->version, "0.1.0");
  EXPECT_EQ(read.document->commit, "0123abc");
  EXPECT_EQ(read.document->seed, 7u);
  EXPECT_EQ(read.document->host, written.host);
  EXPECT_EQ(read.document->seconds, written.seconds);
  EXPECT_EQ(read.document->shard, written.shard);
  EXPECT_EQ(read.document->tested, 3u);
  ASSERT_EQ(read.document->subjects.size(), 1u);
  EXPECT_EQ(read.document->subjects[0].build, "revision 1a2b3c4d5e6f");
  EXPECT_EQ(read.document->subjects[0].interpreter, "CPython 3.11.2");
  ASSERT_EQ(read.document->results.size(), std::size(all_verdicts));
  for (std::size_t i = 0; i < std::size(all_verdicts); ++i) {
    EXPECT_EQ(read.document->results[i].status, all_verdicts[i]);
    EXPECT_EQ(read.document->results[i].observed, written.results[i].observed);
    EXPECT_EQ(read.document->results[i].reproduce, written.results[i].reproduce);
  }
  EXPECT_EQ(write_document(*read.document), write_document(written));
}

TEST(Document, SaysByWhichMitigationAndHowMuchWasExercised) {
  Document written = sample_document();
  written.results[2].mitigation = find_mitigation("seen-once");
  written.subjects[0].figures = {{Role::producer, 120, 110}, {Role::consumer, 90, 30}};
  written.subjects[0].table_calls = {"managed_tensor_from_py_object_no_sync", "current_work_stream"};
  const std::string text = write_document(written);
  EXPECT_NE(text.find("\"rules\":{\"producer\":{\"binding\":120,\"exercised\":110},"), std::string::npos) << text;
  const ReadDocument read = parse_document(text, "r.json");
  EXPECT_EQ(read.document->results[2].mitigation, find_mitigation("seen-once"));
  EXPECT_EQ(read.document->subjects[0].figures, written.subjects[0].figures);
  EXPECT_EQ(read.document->subjects[0].table_calls, written.subjects[0].table_calls);
  const ReadDocument later = parse_document(replaced(text, "\"seen-once\"", "\"of-a-later-dlspec\""), "r.json");
  ASSERT_EQ(later.error, "");
  EXPECT_EQ(later.document->results[2].mitigation, nullptr);
}

TEST(Document, LooksLikeThis) {
  Document document = sample_document();
  document.results.resize(2);
  const std::string text = write_document(document);
  EXPECT_TRUE(
      text.starts_with("{\n \"schema\": \"dlspec-result/2\",\n"
                       " \"dlspec\": {\"version\":\"0.1.0\",\"commit\":\"0123abc\"},\n \"seed\": 7,\n"
                       " \"host\": {\"machine\":\"x86_64\",\"system\":\"Linux\"},\n \"subjects\": [\n"))
      << text;
  EXPECT_NE(text.find("\n   {\"status\":\"pass\"}],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"status\":\"fail\",\"observed\":\"seen\",\"allowed\":\"what the rule says\",\"reproduce\":"
                      "\"dlspec run numpy --case producer/float32/c/fail --rules tensor.element-address\"}\n ],\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"exercised\":1,\"exercised_ids\":[\"tensor.element-address\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"summary\": {\"pass\":1,\"fail\":1,\"warn\":0,"), std::string::npos) << text;
}

TEST(Document, SaysInHundredthsHowLongItTook) {
  Document document = sample_document();
  document.seconds = {{"numpy", {0, 0.123456, 2}}};
  const std::string text = write_document(document);
  const std::string line = " \"seconds\": {\"numpy\":{\"environment\":0.0,\"import\":0.12,\"judging\":2.0}},\n";
  EXPECT_NE(text.find(line), std::string::npos) << text;
  EXPECT_EQ(error_of(replaced(text, "0.12", "-1")), "r.json: seconds.numpy.import: is no number of seconds");
  EXPECT_EQ(error_of(replaced(text, "0.12", "\"1\"")), "r.json: seconds.numpy.import: is no number of seconds");
  EXPECT_EQ(error_of(replaced(text, "\"import\"", "\"imports\"")), "r.json: seconds.numpy.import: is missing");
  EXPECT_EQ(error_of(replaced(text, line, " \"seconds\": 3,\n")), "r.json: seconds: is no object");
}

TEST(Document, WithoutAnythingIsReadBack) { EXPECT_EQ(error_of(write_document(Document{})), ""); }

TEST(RuleFigures, CountOnlyWhatWasJudged) {
  Document document = sample_document();
  document.results = {sample_record(RuleId::tensor_zero_copy, Verdict::unsupported, "c"),
                      sample_record(RuleId::managed_borrow, Verdict::info, "c"),
                      sample_record(RuleId::version_filled, Verdict::pass, "c")};
  EXPECT_EQ(rule_figures(document).exercised_ids, (std::vector<std::string>{"version.filled", "managed.borrow"}));
  EXPECT_EQ(rule_figures(document).specified, rules().size());
}

TEST(Reading, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "r.json: is no JSON: line 1, column 1");
  EXPECT_EQ(error_of("[]"), "r.json: is no object");
  EXPECT_EQ(error_of("{}"), "r.json: schema: is missing");
  EXPECT_EQ(error_of("{\n \"schema\": nonsense}"), "r.json: is no JSON: line 2, column 13");
  constexpr struct {
    const char* from;
    const char* to;
    const char* error;
  } rows[] = {
      {"dlspec-result/2", "dlspec-result/3",
       R"(schema: "dlspec-result/3" is neither "dlspec-result/2" nor "dlspec-result/1")"},
      {"\"digest\"", "\"digested\"", "digest: is missing"},
      {R"("seed": 7)", R"("seed": -7)", "seed: is no whole number in the range 0 to 18446744073709551615"},
      {R"("status":"fail")", R"("status":"fial")", R"(results[0].status: "fial" is no status)"},
      {"tensor.element-address", "tensor.no-such",
       R"(results[0].rule: "tensor.no-such" is no rule that this dlspec knows)"},
      {R"("kind":"python")", R"("kind":3)", "subjects[0].kind: is no string"},
      {R"("roles":["producer")", R"("roles":["both")", R"(subjects[0].roles[0]: "both" is no role)"},
      {R"({"subject":"numpy","role")", R"({"subject":"scipy","role")",
       R"(folded: its places of producer/float32/c/fail are not those of results[0])"},
      {R"("fail":1)", R"("fail":2)", "summary.fail: says 2, but 1 records have it"},
      {R"("case":"producer/float32/c/fail")", R"("case":"producer/float32/c/pass")",
       "folded: its places of producer/float32/c/fail are not those of results[0]"},
      {R"("seed")", R"("shard": {"index": 3, "count": 2}, "seed")", "shard: 3/2 is no shard"},
  };
  const std::string good = write_document(sample_document());
  for (const auto& row : rows) {
    EXPECT_EQ(error_of(replaced(good, row.from, row.to)), "r.json: " + std::string(row.error)) << row.to;
  }
}

TEST(Reading, NoticesThatARecordWasRemovedOrChanged) {
  Document document = sample_document();
  const std::string whole = write_document(document);
  constexpr std::string_view sentence =
      "r.json: digest: is not that of these results: a record was removed, added or changed since they were written";
  const auto with_digest_of_whole = [&](const Document& changed) {
    const std::string text = write_document(changed);
    const auto digest = [](const std::string& of) { return of.substr(of.find("\"digest\"")); };
    return replaced(text, digest(text), digest(whole));
  };
  EXPECT_EQ(error_of(with_digest_of_whole(document)), "");
  document.results.pop_back();
  EXPECT_EQ(error_of(with_digest_of_whole(document)), sentence);
  document = sample_document();
  std::swap(document.results[1], document.results[2]);
  EXPECT_EQ(error_of(with_digest_of_whole(document)), sentence);
  EXPECT_EQ(error_of(replaced(whole, "\"observed\":\"seen\"", "\"observed\":\"sown\"")), sentence);
}

TEST(Reading, IgnoresWhatItDoesNotKnow) {
  EXPECT_EQ(error_of(replaced(write_document(sample_document()), "\"seed\"", "\"later\": [1], \"seed\"")), "");
}

TEST(Reading, OfEveryTruncationIsAnError) {
  const std::string good = write_document(sample_document());
  for (std::size_t length = 0; length + 2 < good.size(); length += 7) EXPECT_NE(error_of(good.substr(0, length)), "");
}

TEST(Reading, SurvivesDeepNesting) {
  EXPECT_NE(error_of(std::string(100000, '[')), "");
  EXPECT_NE(error_of(std::string(100000, '[') + std::string(100000, ']')), "");
  EXPECT_NE(error_of("{\"seed\": 1e999999}"), "");
}

RC_GTEST_PROP(Reading, AnswersAnyBytes, (const std::string& bytes)) { RC_ASSERT(!error_of(bytes).empty()); }

RC_GTEST_PROP(Reading, AnswersAnyDamage, ()) {
  static const std::string good = write_document(sample_document());
  std::string damaged = good;
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = *rc::gen::arbitrary<char>();
  }
  const ReadDocument read = parse_document(damaged, "r.json");
  if (read.document) RC_ASSERT(parse_document(write_document(*read.document), "r.json").error.empty());
}

TEST(Reading, OfFilesThatAreNone) {
  EXPECT_EQ(read_document("/no/such/file.json").error, "/no/such/file.json: cannot be read: No such file or directory");
  EXPECT_EQ(read_document("/").error, "/: cannot be read: Is a directory");
  EXPECT_EQ(read_document("/dev/null").error, "/dev/null: is no JSON: line 1, column 1");
}

TEST(Writing, SurvivesHostileText) {
  Document document = sample_document();
  Record& record = document.results[1];
  record.observed = "\"}]\0\xFF</script>]]>\n\x1b[31m"s + std::string(5'000'000, 'x');
  record.case_id = "\xFE\xFE";
  document.subjects[0].name = std::string(1, '\0');
  document.host["a\xFF"] = "\x01";
  const std::string text = write_document(document);
  EXPECT_LT(text.size(), 20'000u);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const ReadDocument read = parse_document(text, "r.json");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(write_document(*read.document), text);
}

}  // namespace
}  // namespace dlspec::conformance
