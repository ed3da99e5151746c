#include <dlspec/conformance/report/console.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>

namespace dlspec::conformance {
namespace {

Document document_with(std::vector<Record> results) {
  Document document = sample_document();
  document.results = std::move(results);
  return document;
}

Record unsupported(const std::string& case_id, const std::string& reason) {
  return sample_record(RuleId::tensor_element_address, Verdict::unsupported, case_id, reason);
}

TEST(Console, IsWorthReading) {
  const Rule& row = rule(RuleId::managed_deleter_once);
  const Document document = document_with({
      sample_record(RuleId::tensor_element_address, Verdict::pass, "producer/float32/c/plain"),
      sample_record(RuleId::managed_deleter_once, Verdict::fail, "consumer/float32/negative/versioned", "called twice"),
      unsupported("producer/bfloat16/c/plain", "NumPy has no bfloat16"),
      unsupported("producer/bfloat16/fortran/plain", "NumPy has no bfloat16"),
      unsupported("producer/int4/c/plain", "NumPy has no int4"),
      sample_record(RuleId::tensor_element_address, Verdict::info, "consumer/float32/c/legacy", "not shown"),
  });
  EXPECT_EQ(
      console_report(document, {}),
      "NumPy 2.4.6 does not conform: 1 rule fails; producer 0 %, consumer 1 % of rules exercised (50 % of each role "
      "are needed)\n"
      "  numpy, producer and consumer, loaded from /lib/numpy/__init__.py, revision 1a2b3c4d5e6f, CPython 3.11.2\n"
      "\n"
      "FAIL  managed.deleter-once  MUST  " +
          std::string(row.title) +
          "\n"
          "  NumPy 2.4.6, consumer/float32/negative/versioned\n"
          "  tensor    float32 (3,4):(-4,-1)+11 @cpu\n"
          "  observed  called twice\n"
          "  allowed   what the rule says\n"
          "  source    " +
          std::string(row.source) +
          "\n"
          "  repeat    dlspec run numpy --case consumer/float32/negative/versioned --rules managed.deleter-once\n"
          "\n"
          "Information:\n"
          "     1 case   tensor.element-address  not shown\n"
          "\n"
          "Not supported:\n"
          "     2 cases  NumPy has no bfloat16\n"
          "     1 case   NumPy has no int4\n"
          "\n"
          "NumPy 2.4.6: 1 pass, 1 fail, 1 info, 3 unsupported\n");
}

TEST(Console, FoldsEqualFindingsOfOneRule) {
  std::vector<Record> results;
  for (const char* layout : {"c", "fortran", "strided", "offset", "negative"}) {
    results.push_back(sample_record(RuleId::managed_deleter_once, Verdict::fail,
                                    "consumer/float32/" + std::string(layout) + "/versioned", "called twice"));
  }
  results.push_back(
      sample_record(RuleId::managed_deleter_once, Verdict::fail, "consumer/int8/c/versioned", "never called"));
  const std::string text = console_report(document_with(results), {.color = false, .cases_listed = 2});
  EXPECT_NE(
      text.find("  and in    4 more cases: consumer/float32/fortran/versioned, consumer/float32/strided/versioned, "
                "2 more\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  observed  never called\n"), std::string::npos) << "another observation is a block of its own";
  EXPECT_EQ(text.find("negative/versioned"), std::string::npos) << "the list is bounded";
  EXPECT_NE(text.find("6 fail"), std::string::npos);
}

TEST(Console, PrintsDeathsFirstAndWarningsLast) {
  const std::string text = console_report(
      document_with({sample_record(RuleId::tensor_zero_copy, Verdict::warn, "consumer/float32/c/a", "1"),
                     sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/c/b", "2"),
                     sample_record(RuleId::managed_borrow, Verdict::timeout, "producer/float32/c/c", "3"),
                     sample_record(RuleId::managed_borrow, Verdict::crash, "producer/float32/c/d", "4")}),
      {});
  const std::size_t crash = text.find("\nCRASH  ");
  const std::size_t timeout = text.find("\nTIMEOUT  ");
  const std::size_t fail = text.find("\nFAIL  ");
  const std::size_t warn = text.find("\nWARN  ");
  EXPECT_TRUE(crash < timeout && timeout < fail && fail < warn && warn != std::string::npos) << text;
}

TEST(Console, SaysWhyAMustOnlyWarns) {
  Record record =
      sample_record(RuleId::version_major_mismatch_release, Verdict::warn, "consumer/float32/c/major=0", "1");
  record.mitigation = find_mitigation("major-zero");
  EXPECT_NE(
      console_report(document_with({record}), {})
          .find("  milder    warn instead of fail: No release of DLPack has a versioned struct with major version "
                "0, so that nothing can be misread (open question foreign-major).\n"),
      std::string::npos);
  record.status = Verdict::xfail;
  EXPECT_EQ(console_report(document_with({record}), {}).find("milder"), std::string::npos);
}

TEST(Console, FoldsInformationByRule) {
  const std::string text = console_report(
      document_with({sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/a", "one"),
                     sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/b", "two"),
                     sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/c", "two"),
                     sample_record(RuleId::tensor_zero_copy, Verdict::info, "consumer/int8/c/d", "three")}),
      {});
  EXPECT_NE(text.find("\nInformation:\n"
                      "     3 cases  dtype.roundtrip  one, and 1 more\n"
                      "     1 case   tensor.zero-copy  three\n"),
            std::string::npos)
      << text;
}

TEST(Console, NamesTheLevelOfAnImpliedRule) {
  const std::string text = console_report(
      document_with({sample_record(RuleId::managed_not_early, Verdict::fail, "consumer/float32/c/release", "early")}),
      {});
  EXPECT_NE(text.find("managed.not-early  MUST (implied by "), std::string::npos) << text;
}

TEST(Console, CountsEveryStatus) {
  EXPECT_EQ(
      count_line(sample_document(), sample_subject()),
      "NumPy 2.4.6: 1 pass, 1 fail, 1 warn, 1 info, 1 unsupported, 1 not-applicable, 1 blocked, 1 crash, 1 timeout, "
      "1 skipped, 1 xfail, 1 xpass");
}

TEST(Console, OfASubjectThatWasNotLoaded) {
  Document document = document_with({});
  document.subjects = {{"numpy==9.9", "", "", SubjectKind::python, {}, "numpy==9.9", "", "", ""}};
  EXPECT_EQ(console_report(document, {}),
            "numpy==9.9 is not judged\n  was not loaded\n\nnumpy==9.9: nothing was judged\n");
}

TEST(Console, KeepsSubjectsApart) {
  Document document = sample_document();
  SubjectInfo other = sample_subject();
  other.subject = other.name = "other";
  document.subjects.push_back(other);
  const std::string text = console_report(document, {});
  EXPECT_NE(text.find("\nother 2.4.6: nothing was judged\n"), std::string::npos) << text;
}

TEST(Console, IsPlainUnlessColourIsAskedFor) {
  EXPECT_EQ(console_report(sample_document(), {}).find('\x1b'), std::string::npos);
  const std::string colored = console_report(sample_document(), {.color = true});
  EXPECT_NE(colored.find("\x1b[1;31mFAIL\x1b[0m"), std::string::npos) << colored;
}

TEST(Console, SurvivesHostileText) {
  Document document = document_with({sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/c/x\x1b[2J",
                                                   "line\nline\x07" + std::string(1'000'000, 'x')),
                                     unsupported("a", "two\nlines")});
  document.subjects[0].name = "Num\x1b]0;Py\xFF";
  const std::string text = console_report(document, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 5000u);
  EXPECT_NE(text.find("  observed  line\n            line\\x07"), std::string::npos) << "continued under itself";
  EXPECT_NE(text.find("     1 case   two lines\n"), std::string::npos) << text;
}

TEST(Console, BoundsTheReasons) {
  std::vector<Record> results;
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(i);
    results.push_back(unsupported("producer/float32/c/" + number, "reason " + number));
  }
  const std::string text = console_report(document_with(results), {});
  EXPECT_NE(text.find("reason 19\n  and 30 more reasons\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace dlspec::conformance
