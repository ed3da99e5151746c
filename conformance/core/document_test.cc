#include <dlspec/conformance/core/document.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/resource.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

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
  const std::string text = write_document(written);
  EXPECT_NE(text.find("\"rules\":{\"producer\":{\"binding\":120,\"exercised\":110},"), std::string::npos) << text;
  const ReadDocument read = parse_document(text, "r.json");
  EXPECT_EQ(read.document->results[2].mitigation, find_mitigation("seen-once"));
  EXPECT_EQ(read.document->subjects[0].figures, written.subjects[0].figures);
  const ReadDocument later = parse_document(replaced(text, "\"seen-once\"", "\"of-a-later-dlspec\""), "r.json");
  ASSERT_EQ(later.error, "");
  EXPECT_EQ(later.document->results[2].mitigation, nullptr);
}

TEST(Document, LooksLikeThis) {
  Document document = sample_document();
  document.results.resize(2);
  const std::string text = write_document(document);
  EXPECT_TRUE(
      text.starts_with("{\n \"schema\": \"dlspec-result/1\",\n"
                       " \"dlspec\": {\"version\":\"0.1.0\",\"commit\":\"0123abc\"},\n \"seed\": 7,\n"
                       " \"host\": {\"machine\":\"x86_64\",\"system\":\"Linux\"},\n \"subjects\": [\n"))
      << text;
  EXPECT_NE(text.find("\n  {\"subject\":\"numpy\",\"role\":\"producer\",\"rule\":\"tensor.element-address\","
                      "\"case\":\"producer/float32/c/pass\",\"level\":\"must\",\"status\":\"pass\"},\n"),
            std::string::npos)
      << text;
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
      {"dlspec-result/1", "dlspec-result/2", R"(schema: "dlspec-result/2" is not "dlspec-result/1")"},
      {R"("seed": 7)", R"("seed": -7)", "seed: is no whole number in the range 0 to 18446744073709551615"},
      {R"("status":"fail")", R"("status":"fial")", R"(results[1].status: "fial" is no status)"},
      {"tensor.element-address", "tensor.no-such",
       R"(results[0].rule: "tensor.no-such" is no rule that this dlspec knows)"},
      {R"("kind":"python")", R"("kind":3)", "subjects[0].kind: is no string"},
      {R"("roles":["producer")", R"("roles":["both")", R"(subjects[0].roles[0]: "both" is no role)"},
      {R"({"subject":"numpy","role")", R"({"subject":"scipy","role")",
       R"(results[0]: "scipy" is not among the subjects)"},
      {R"("fail":1)", R"("fail":2)", "summary.fail: says 2, but 1 records have it"},
      {R"("case":"producer/float32/c/fail")", R"("case":"producer/float32/c/pass")",
       "results[1]: tensor.element-address in producer/float32/c/pass occurs twice"},
      {R"("seed")", R"("shard": {"index": 3, "count": 2}, "seed")", "shard: 3/2 is no shard"},
  };
  const std::string good = write_document(sample_document());
  for (const auto& row : rows) {
    EXPECT_EQ(error_of(replaced(good, row.from, row.to)), "r.json: " + std::string(row.error)) << row.to;
  }
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

TEST(CleanText, KeepsWhatIsFit) {
  EXPECT_EQ(clean_text("déjà vu 漢字 😀\n\tend"), "déjà vu 漢字 😀\n\tend");
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanText, ReplacesWhatIsNoUtf8) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(clean_text("a\xFFz"), "a" + bad + "z");
  EXPECT_EQ(clean_text("\xC3"), bad) << "cut short";
  EXPECT_EQ(clean_text("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xE0\x80\xAF"), bad + bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xED\xA0\x80"), bad + bad + bad) << "surrogate";
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond the last character";
}

TEST(CleanText, SpellsOutWhatMovesACursor) {
  EXPECT_EQ(clean_text(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(clean_text("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(clean_text("\xC2\x9B"), "\\x9b");
  EXPECT_EQ(clean_text("\xE2\x80\xAE"), "\\u202e");
}

TEST(CleanText, CutsAtACharacter) {
  const std::string cut = clean_text(std::string(1000, 'a') + "ä", 100);
  EXPECT_EQ(cut, std::string(82, 'a') + " [cut; 1002 bytes]");
  EXPECT_EQ(clean_text(cut, 100), cut);
  EXPECT_EQ(clean_text(std::string(100, 'a'), 100).size(), 100u);
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "ä";
  EXPECT_EQ(clean_text(umlauts, 50).find("\xEF\xBF\xBD"), std::string::npos);
}

RC_GTEST_PROP(CleanText, IsCleanAtOnce, (const std::string& text)) {
  RC_ASSERT(clean_text(clean_text(text)) == clean_text(text));
  RC_ASSERT(clean_text(text, 40).size() <= 40u);
}

TEST(Writing, SurvivesHostileText) {
  Document document = sample_document();
  Record& record = document.results[1];
  record.observed = std::string("\"}]\0\xFF</script>]]>\n\x1b[31m", 24) + std::string(5'000'000, 'x');
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

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dlspec-report-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] static std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(Files, AreWrittenWholeAndReplaced) {
  EXPECT_EQ(write_file(path("a.json"), "first"), "");
  EXPECT_EQ(write_file(path("a.json"), std::string(3'000'000, 'x')), "");
  EXPECT_EQ(contents(path("a.json")).size(), 3'000'000u);
  EXPECT_EQ(count(), 1u) << "no temporary is left";
}

TEST_F(Files, InAMissingFolderAreRefused) {
  EXPECT_EQ(write_file(path("none/a.json"), "x"),
            "cannot write " + path("none/a.json") + ": No such file or directory");
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, AFolderIsNoFile) {
  EXPECT_EQ(write_file(folder_.string(), "x"), "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, AFileIsNoFolder) {
  ASSERT_EQ(write_file(path("a"), "old"), "");
  EXPECT_EQ(write_file(path("a/b.json"), "x"), "cannot write " + path("a/b.json") + ": Not a directory");
  EXPECT_EQ(contents(path("a")), "old");
}

TEST_F(Files, ThatCannotBeWrittenWholeAreLeftAsTheyWere) {
  ASSERT_EQ(write_file(path("a.json"), "old"), "");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = write_file(path("a.json"), std::string(3'000'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "cannot write " + path("a.json") + ": File too large");
  EXPECT_EQ(contents(path("a.json")), "old");
  EXPECT_EQ(count(), 1u) << "no temporary is left";
}

TEST_F(Files, AWrittenDeviceStaysADevice) {
  EXPECT_EQ(write_file("/dev/null", "x"), "");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(write_file("/dev/full", "x"), "cannot write /dev/full: No space left on device");
}

TEST_F(Files, ALinkStaysALink) {
  ASSERT_EQ(write_file(path("real"), "old"), "");
  std::filesystem::create_symlink(path("real"), path("link"));
  EXPECT_EQ(write_file(path("link"), "new"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents(path("real")), "new");
}

}  // namespace
}  // namespace dlspec::conformance
