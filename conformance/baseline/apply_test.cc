#include <dlspec/conformance/baseline/apply.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/baseline/sample_results.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {
namespace {

constexpr const char* today = "2026-11-21";

Baseline baseline_of(const std::string& lines, const std::string& made_by = "0.1.0") {
  const ReadBaseline read =
      parse_baseline("format dlspec-baseline/1\ndlspec " + made_by + "\nlibrary NumPy\n" + lines, "numpy.txt");
  EXPECT_EQ(read.error, "");
  return *read.baseline;
}

// One warning in one case.
constexpr const char* rule_id = "python.copy-true";
constexpr const char* case_id = "producer/float32/c/copy=true";
Document warned(Verdict status = Verdict::warn, const std::string& observed = "seen") {
  Document document = passed_run("2.4.6");
  EXPECT_EQ(set_records(document, rule_id, case_id, status, observed), 1u);
  return document;
}

const Record& record_of(const Document& document) {
  for (const Record& record : document.results) {
    if (record.rule == RuleId::python_copy_true && record.case_id == case_id) return record;
  }
  ADD_FAILURE() << "no such record";
  return document.results.front();
}

std::vector<std::string> applied(const std::string& lines, Document& document, const std::string& made_by = "0.1.0") {
  const Baseline baseline = baseline_of(lines, made_by);
  return apply_baselines({&baseline, 1}, document, today);
}

const std::string line = std::string(rule_id) + " " + case_id + " warn \"seen\"";
using Sentences = std::vector<std::string>;

TEST(ApplyBaseline, WhatIsListedIsExpected) {
  Document document = warned();
  EXPECT_EQ(applied(line, document), Sentences{});
  EXPECT_EQ(record_of(document).status, Verdict::xfail);
  EXPECT_EQ(record_of(document).without_baseline, Verdict::warn);
  EXPECT_EQ(record_of(document).observed, "seen");
  EXPECT_EQ(exit_status({document.results, {}, {}, true, {}}), exit_good);
}

TEST(ApplyBaseline, WhatIsNotListedStaysWhatItIs) {
  Document document = warned(Verdict::fail);
  EXPECT_EQ(applied("", document), Sentences{});
  EXPECT_EQ(record_of(document).status, Verdict::fail);
  EXPECT_EQ(record_of(document).without_baseline, std::nullopt);
}

TEST(ApplyBaseline, WhatIsGoneIsStale) {
  Document document = passed_run("2.4.6");
  EXPECT_EQ(applied(line, document),
            Sentences{"numpy.txt:4: python.copy-true is listed and does not occur any more: pass in " +
                      std::string(case_id)});
  EXPECT_EQ(record_of(document).status, Verdict::xpass);
  EXPECT_EQ(record_of(document).observed, "conforms now; the baseline lists warn: seen");
  EXPECT_EQ(exit_status({document.results, {}, {}, false, {}}), exit_baseline) << "by the xpass alone";
}

TEST(ApplyBaseline, AnotherStatusOrObservationIsTold) {
  Document worse = warned(Verdict::crash, "seen");
  EXPECT_EQ(applied(line, worse).size(), 1u);
  EXPECT_EQ(record_of(worse).status, Verdict::crash);
  Document other = warned(Verdict::warn, "something else");
  EXPECT_EQ(applied(line, other),
            Sentences{"numpy.txt:4: python.copy-true occurs otherwise than listed: warn: something else in " +
                      std::string(case_id)});
  EXPECT_EQ(record_of(other).status, Verdict::warn);
  EXPECT_EQ(applied(std::string(rule_id) + " " + case_id + " warn any", other), Sentences{});
  EXPECT_EQ(record_of(other).status, Verdict::xfail);
}

TEST(ApplyBaseline, ACaseThatWasNotJudgedIsTold) {
  for (const Verdict status : {Verdict::unsupported, Verdict::not_applicable, Verdict::blocked, Verdict::skipped}) {
    Document document = warned(status, "why");
    const Sentences misfits = applied(line, document);
    ASSERT_EQ(misfits.size(), 1u) << verdict_name(status);
    EXPECT_NE(misfits[0].find("is listed and was not judged: " + std::string(verdict_name(status))), std::string::npos);
    EXPECT_EQ(record_of(document).status, status);
  }
}

TEST(ApplyBaseline, ALineThatNamesNoPathSaysNothingOfPaths) {
  Document document = warned();
  ASSERT_GT(set_records(document, rule_id, "producer/float32/c/path:*", Verdict::blocked, "by a simpler path"), 0u);
  const std::string globs = std::string(rule_id) + " producer/float32/c/{copy=true,pat*} warn \"seen\"";
  EXPECT_EQ(applied(globs, document), Sentences{});
  const std::string named = std::string(rule_id) + " producer/float32/c/{copy=true,path:*} warn \"seen\"";
  EXPECT_EQ(applied(named, document).size(), 1u);
}

TEST(ApplyBaseline, ALineForSeveralCasesSaysNothingOfThoseThatDoNotApply) {
  Document document = warned();
  ASSERT_GT(set_records(document, rule_id, "producer/float32/c/copy*", Verdict::not_applicable, ""), 0u);
  set_records(document, rule_id, case_id, Verdict::warn, "seen");
  EXPECT_EQ(applied(std::string(rule_id) + " producer/float32/c/copy* warn any", document), Sentences{});
}

TEST(ApplyBaseline, WhatWasSeenOnceOfTwoFits) {
  Document document = warned(Verdict::info, "in one of two runs (warn): seen");
  EXPECT_EQ(applied(line, document), Sentences{});
  Document other = warned(Verdict::info, "in one of two runs (fail): seen");
  EXPECT_EQ(applied(line, other).size(), 1u);
}

TEST(ApplyBaseline, CasesThatWereNotSelectedCountForNothing) {
  Document document = passed_run("2.4.6", "producer/int8/c/*");
  EXPECT_EQ(applied(line, document), Sentences{});
  EXPECT_EQ(applied("python.copy-false producer/int8/c/copy=false warn any", document),
            Sentences{"numpy.txt:4: no case that decides python.copy-false is called producer/int8/c/copy=false"});
}

TEST(ApplyBaseline, LinesAboutOtherLibrariesAndVersionsCountForNothing) {
  Document document = passed_run("2.4.6");
  EXPECT_EQ(applied(line + " versions <2.4.6", document), Sentences{});
  EXPECT_EQ(applied("library Other\n" + line + " expires 2020-01-01", document), Sentences{});
  EXPECT_EQ(record_of(document).status, Verdict::pass);
  EXPECT_EQ(applied(line + " versions >=2.4.6", document).size(), 1u);
}

TEST(ApplyBaseline, AnExpiredLineIsTold) {
  Document document = warned();
  EXPECT_EQ(applied(line + " expires 2026-11-20", document),
            Sentences{"numpy.txt:4: python.copy-true expired on 2026-11-20; look at it again, then move the day"});
  EXPECT_EQ(record_of(document).status, Verdict::xfail);
  EXPECT_EQ(applied(line + " expires 2026-11-21", document), Sentences{});
}

TEST(ApplyBaseline, AnUnknownRuleIsTold) {
  Document document = warned();
  EXPECT_EQ(applied(line + "\npython.no-such * fail any", document),
            Sentences{"numpy.txt:5: there is no rule python.no-such; `dlspec rules` lists them"});
}

TEST(ApplyBaseline, ARuleThatIsNewerWarnsAtMost) {
  Document document = warned(Verdict::fail);
  EXPECT_EQ(applied("", document, "0.0.9"), Sentences{});
  EXPECT_EQ(record_of(document).status, Verdict::warn);
  EXPECT_EQ(record_of(document).without_baseline, Verdict::fail);
  forget_baselines(document);
  EXPECT_EQ(record_of(document).status, Verdict::fail);
  const Baseline silent = *parse_baseline("format dlspec-baseline/1\ndlspec 0.0.9\nlibrary Other\n", "f").baseline;
  EXPECT_EQ(apply_baselines({&silent, 1}, document, today), Sentences{});
  EXPECT_EQ(record_of(document).status, Verdict::fail) << "the baseline says nothing about this library";
}

TEST(ApplyBaseline, TwiceIsOnceAndCanBeTakenBack) {
  Document document = warned();
  set_records(document, "python.copy-none", "*", Verdict::fail);
  const std::string before = write_document(document);
  const std::string lines = line + "\npython.copy-false producer/*/copy=false warn any";
  const Sentences once = applied(lines, document);
  const std::string after = write_document(document);
  EXPECT_NE(before, after);
  EXPECT_EQ(applied(lines, document), once);
  EXPECT_EQ(write_document(document), after);
  const ReadDocument read = parse_document(after, "f");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(write_document(*read.document), after);
  forget_baselines(document);
  EXPECT_EQ(write_document(document), before);
}

}  // namespace
}  // namespace dlspec::conformance
