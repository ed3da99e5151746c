#include <dlspec/conformance/baseline/baseline.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

constexpr const char* sample =
    R"(# What this is.
format dlspec-baseline/1
dlspec 0.1.0

library NumPy
# a word on the next line
tensor.data-null-when-empty producer/{bool,int8}/empty/* warn "data is not \"NULL\"" versions >=2.1,<2.6)"
    R"( expires 2027-06-30 because "https://example.org/1"
python.copy-true producer/*/c/copy=true fail any

library Clean Library
# the end
)";

TEST(BaselineFile, IsReadAndWrittenAsItWas) {
  const ReadBaseline read = parse_baseline(sample, "numpy.txt");
  ASSERT_EQ(read.error, "");
  const Baseline& baseline = *read.baseline;
  EXPECT_EQ(baseline.made_by, "0.1.0");
  EXPECT_EQ(baseline.libraries, (std::vector<std::string>{"NumPy", "Clean Library"}));
  ASSERT_EQ(baseline.lines.size(), 2u);
  const AcceptedDeviation& line = baseline.lines[0];
  EXPECT_EQ(line.library, "NumPy");
  EXPECT_EQ(line.rule, "tensor.data-null-when-empty");
  EXPECT_EQ(line.cases, "producer/{bool,int8}/empty/*");
  EXPECT_EQ(line.status, Verdict::warn);
  EXPECT_EQ(line.observed, "data is not \"NULL\"");
  EXPECT_EQ(line.versions.text(), ">=2.1,<2.6");
  EXPECT_EQ(line.expires, "2027-06-30");
  EXPECT_EQ(line.reason, "https://example.org/1");
  EXPECT_EQ(line.comments, std::vector<std::string>{"# a word on the next line"});
  EXPECT_EQ(line.number, 7u);
  EXPECT_FALSE(baseline.lines[1].observed);
  EXPECT_EQ(write_baseline(baseline), sample);
}

TEST(BaselineFile, TakesAdditionsInAnyOrderAndLinesOfEverySystem) {
  const ReadBaseline read = parse_baseline(
      "format dlspec-baseline/1\r\ndlspec 1\r\nlibrary A \r\n\r\n  a.b  *  crash any  because \"x\"  versions <2 \r\n",
      "f");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.baseline->lines[0].library, "A");
  EXPECT_EQ(read.baseline->lines[0].reason, "x");
  EXPECT_EQ(read.baseline->lines[0].versions.text(), "<2");
}

// A carriage return anywhere is a blank, so that none ends a word or a comment, where it would be read as a line's end.
TEST(BaselineFile, CarriageReturnsWithinALineAreBlanks) {
  const ReadBaseline read = parse_baseline(
      "# head\r\r\nformat dlspec-baseline/1\ndlspec 1\r of today\nlibrary A\r\r\na.b\r* fail any\n", "f");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.baseline->made_by, "1");
  EXPECT_EQ(write_baseline(*read.baseline),
            "# head\nformat dlspec-baseline/1\ndlspec 1\n\nlibrary A\na.b * fail any\n");
}

// What is wrong, in the second line of a library, and what is said.
struct ErrorRow {
  const char* line;
  const char* said;
};
constexpr ErrorRow errors[] = {
    {"nonsense * fail any", "f:4: 'nonsense' is no rule; a line is: RULE CASES STATUS \"OBSERVED\" because \"REASON\""},
    {"a.b fail any", "f:4: behind the rule stands a glob over cases, as producer/float32/*/plain, not 'fail'"},
    {"a.b", "f:4: behind the rule stands a glob over cases, as producer/float32/*/plain, not ''"},
    {"a.b * pass any", "f:4: 'pass' is no status that can be accepted; there are fail, warn, crash and timeout"},
    {"a.b *", "f:4: '' is no status that can be accepted; there are fail, warn, crash and timeout"},
    {"a.b * fail", "f:4: behind the status stands what was observed, in double quotes, or the word any"},
    {"a.b * fail \"open", "f:4: what was observed is no text in double quotes; inside, a quote is written \\\""},
    {"a.b * fail any because none",
     "f:4: behind `because` stands a text in double quotes; inside, a quote is written \\\""},
    {"a.b * fail any versions 2.0", "f:4: behind `versions` stand conditions without blanks, as in >=2.1,<2.6"},
    {"a.b * fail any expires soon", "f:4: behind `expires` stands a day, as in 2027-06-30"},
    {"a.b * fail any expires 2027-13-01", "f:4: behind `expires` stands a day, as in 2027-06-30"},
    {"a.b * fail any until 2027",
     "f:4: 'until' is not understood; at a line's end there are versions, expires and because"},
    {"library", "f:4: `library` is followed by a name, as in `library NumPy`"},
};

TEST(BaselineFile, ErrorsNameLineAndRemedy) {
  const std::string head = "format dlspec-baseline/1\ndlspec 0.1.0\nlibrary A\n";
  for (const ErrorRow& row : errors) EXPECT_EQ(parse_baseline(head + row.line + "\n", "f").error, row.said) << row.line;
  EXPECT_EQ(parse_baseline("", "f").error, "f:1: the first line must be `format dlspec-baseline/1`");
  EXPECT_EQ(parse_baseline("a.b * fail any\n", "f").error, "f:1: the first line must be `format dlspec-baseline/1`");
  EXPECT_EQ(parse_baseline("format dlspec-baseline/2\n", "f").error,
            "f:1: the format 'dlspec-baseline/2' is not dlspec-baseline/1; make the file anew with this dlspec's "
            "`dlspec baseline update`");
  EXPECT_EQ(parse_baseline("format dlspec-baseline/1\nlibrary A\n", "f").error,
            "f:2: there is no line `dlspec VERSION`; write the version that the deviations were found with");
  EXPECT_EQ(parse_baseline("format dlspec-baseline/1\ndlspec 1\na.b * fail any\n", "f").error,
            "f:3: no library is named yet; write `library NAME` above");
  EXPECT_NE(read_baseline("/no/such/file").error.find("No such file"), std::string::npos);
  EXPECT_NE(read_baseline("/").error, "");
}

RC_GTEST_PROP(BaselineFile, AnyTextsAreWrittenSoThatTheyAreReadBack, ()) {
  Baseline baseline;
  baseline.made_by = "0.1.0";
  baseline.libraries = {"A"};
  AcceptedDeviation line;
  line.library = "A";
  line.rule = "a.b";
  line.cases = "*";
  line.observed = *rc::gen::string<std::string>();
  line.reason = "because \"" + *rc::gen::container<std::string>(rc::gen::inRange('\0', '\x7f'));
  baseline.lines = {line};
  const ReadBaseline read = parse_baseline(write_baseline(baseline), "f");
  RC_ASSERT(read.error == "");
  RC_ASSERT(read.baseline->lines[0].reason == line.reason);
  RC_ASSERT(write_baseline(*read.baseline) == write_baseline(baseline));
}

RC_GTEST_PROP(BaselineFile, AnyBytesAreAnswered, ()) {
  const auto text = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "format dlspec-baseline/1\n", "dlspec 1\n", "library A\n", "a.b ", "* ", "fail ", "any ", "\"x", "\\", "\"", "\n",
      "versions ", "because ", "expires ", "<", "2", "\xff", "\0"));
  std::string all;
  for (const std::string& piece : text) all += piece;
  const ReadBaseline read = parse_baseline(all, "f");
  RC_ASSERT(read.baseline.has_value() == read.error.empty());
}

}  // namespace
}  // namespace dlspec::conformance
