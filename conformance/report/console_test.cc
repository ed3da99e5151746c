#include <dlspec/conformance/report/console.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

const ConsoleOptions verbose{.color = false, .width = 80, .verbose = true};

Record unsupported(const std::string& case_id, const std::string& reason) {
  return sample_record(RuleId::tensor_element_address, Verdict::unsupported, case_id, reason);
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A deviation in every case of a whole plan that decides this rule.
std::vector<Record> every_case(RuleId id, Verdict status) {
  Selection selection;
  selection.rules = rule(id).id;
  std::vector<Record> records;
  for (const Case& work : make_plan(selection))
    records.push_back(sample_record(id, status, work.id, "another value in " + work.dtype));
  return records;
}

TEST(Console, SaysWhatIsCalledOfExchangeTables) {
  Document document = document_with({sample_record(RuleId::managed_deleter_once, Verdict::pass, "consumer/a/b/c")});
  EXPECT_EQ(console_report(document, {}).find("exchange tables"), std::string::npos);
  document.subjects[0].table_calls = {"current_work_stream", "managed_tensor_allocator"};
  ConsoleOptions wide;
  wide.width = 400;
  const std::string words = "calls of exchange tables";
  EXPECT_NE(console_report(document, wide).find(words + " current_work_stream, managed_tensor_allocator"),
            std::string::npos);
  EXPECT_NE(html_report(document).find("current_work_stream, managed_tensor_allocator"), std::string::npos);
}

TEST(Console, IsWorthReading) {
  const Document document = document_with({
      sample_record(RuleId::managed_deleter_once, Verdict::pass, "consumer/float32/c/versioned"),
      sample_record(RuleId::managed_deleter_once, Verdict::fail, "consumer/float32/negative/versioned", "called twice"),
      unsupported("producer/bfloat16/c/plain", "NumPy has no bfloat16"),
      unsupported("producer/bfloat16/fortran/plain", "NumPy has no bfloat16"),
      unsupported("producer/int4/c/plain", "NumPy has no int4"),
      sample_record(RuleId::tensor_element_address, Verdict::info, "consumer/float32/c/legacy", "shown"),
  });
  EXPECT_EQ(console_report(document, {}),
            "NumPy 2.4.6 does not conform: 1 rule fails; producer 0 %, consumer 1 % of rules\n"
            "  exercised (50 % of each role are needed)\n"
            "  numpy, producer and consumer, loaded from .../numpy/__init__.py, revision\n"
            "  1a2b3c4d5e6f, CPython 3.11.2\n"
            "\n"
            "FAIL  managed.deleter-once  MUST  The deleter is called exactly once\n"
            "  observed  called twice\n"
            "  allowed   what the rule says\n"
            "  source    " +
                std::string(rule(RuleId::managed_deleter_once).source) +
                "\n"
                "  when      the only such case: only byte_offset != 0\n"
                "  repeat    dlspec run numpy --case consumer/float32/negative/versioned --rules "
                "managed.deleter-once\n"
                "\n"
                "Information:\n"
                "     1 case   tensor.element-address  shown\n"
                "\n"
                "Not supported: 3 cases for 2 reasons, most often (2): NumPy has no bfloat16\n"
                "\n"
                "-v prints every case and reason; dlspec rules ID explains a rule.\n"
                "NumPy 2.4.6: 1 pass, 1 fail, 1 info, 3 unsupported\n");
}

TEST(Console, OfOneFaultFitsAScreenWhateverTheNumberOfCases) {
  const std::vector<Record> records = every_case(RuleId::tensor_element_address, Verdict::fail);
  ASSERT_GT(records.size(), 1000u);
  const std::string text = console_report(document_with(records), {});
  const std::vector<std::string> lines = lines_in(text);
  EXPECT_LE(lines.size(), screen_lines);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("FAIL"); }), 1);
  EXPECT_NE(text.find("; and "), std::string::npos) << "that there are other observations is said: " << text;
  const std::string unbroken = std::regex_replace(text, std::regex("\\s+"), " ");
  EXPECT_NE(unbroken.find("versioned and legacy"), std::string::npos) << text;
}

TEST(Console, OfManyFaultsFitsTwoScreensAndNamesEachRule) {
  std::vector<Record> records;
  std::vector<RuleId> ids = asked_rules(SubjectKind::python, Role::consumer);
  ids.resize(30);
  for (const RuleId id : ids) {
    for (Record& record : every_case(id, id == ids.back() ? Verdict::crash : Verdict::fail))
      records.push_back(std::move(record));
  }
  const std::string text = console_report(document_with(records), {});
  EXPECT_LE(lines_in(text).size(), 2 * screen_lines);
  for (const RuleId id : ids) EXPECT_NE(text.find(rule(id).id), std::string::npos) << rule(id).id;
  const std::size_t crash = text.find("CRASH"), fail = text.find("FAIL");
  EXPECT_LT(crash, fail) << "worst first";
  const std::string worst = text.substr(crash, fail - crash);
  EXPECT_NE(worst.find("  repeat"), std::string::npos) << "and in most detail: " << worst;
}

TEST(Console, BlocksHaveAtMostSixLines) {
  Record record = sample_record(RuleId::version_major_mismatch_release, Verdict::warn, "consumer/float32/c/major=0",
                                std::string(300, 'x') + " " + std::string(300, 'y'));
  record.mitigation = find_mitigation("major-zero");
  record.allowed = std::string(200, 'a') + " " + std::string(200, 'b');
  for (const bool breaks : {false, true}) {
    ConsoleOptions options;
    options.break_commands = breaks;
    const std::string text = console_report(document_with({record}), options);
    const std::size_t begin = text.find("WARN"), end = text.find("\n\n", begin);
    EXPECT_EQ(lines_in(text.substr(begin, end - begin)).size(), 6u) << text;
    EXPECT_NE(text.find("  milder    warn instead of fail: "), std::string::npos) << text;
  }
}

TEST(Console, LinksRulesWhereThePagesAreKnown) {
  ConsoleOptions options;
  EXPECT_EQ(console_report(sample_document(), options).find("\x1b]8"), std::string::npos);
  options.rule_pages = "https://pages.example/";
  EXPECT_NE(console_report(sample_document(), options)
                .find("\x1b]8;;https://pages.example/tensor.element-address.md\x1b\\tensor.element-address\x1b]8;;"
                      "\x1b\\"),
            std::string::npos);
}

TEST(Console, CountsDeathsAmongTheFailuresOfARule) {
  const std::string text = console_report(
      document_with(
          {sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/c/source-dropped", "a"),
           sample_record(RuleId::managed_borrow, Verdict::crash, "producer/float32/offset/source-dropped", "b"),
           sample_record(RuleId::managed_borrow, Verdict::warn, "producer/float32/negative/source-dropped", "c")}),
      {});
  EXPECT_NE(text.find("CRASH  managed.borrow"), std::string::npos) << text;
  EXPECT_NE(text.find("(1 fail, 1 crash)"), std::string::npos) << text;
  EXPECT_NE(text.find("  observed  b; and 1 other observation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WARN  managed.borrow"), std::string::npos) << "warnings are told apart: " << text;
}

TEST(Console, VerboseNamesEveryCaseAndReason) {
  std::vector<Record> results;
  for (const char* layout : {"c", "fortran", "strided", "offset", "negative"}) {
    results.push_back(sample_record(RuleId::managed_deleter_once, Verdict::fail,
                                    "consumer/float32/" + std::string(layout) + "/versioned", "called twice"));
  }
  results.push_back(
      sample_record(RuleId::managed_deleter_once, Verdict::fail, "consumer/int8/c/versioned", "never called"));
  for (int i = 0; i < 50; ++i) results.push_back(unsupported("producer/float32/c/x", "reason " + std::to_string(i)));
  const std::string text = console_report(document_with(results), verbose);
  EXPECT_NE(text.find("  tensor    float32 (3,4) @cpu\n  observed  called twice\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  and in    4 more cases:\n            consumer/float32/fortran/versioned\n"),
            std::string::npos);
  EXPECT_NE(text.find("            consumer/float32/negative/versioned\n"), std::string::npos);
  EXPECT_NE(text.find("  observed  never called\n"), std::string::npos) << "another observation is a block of its own";
  for (int i = 0; i < 50; ++i) EXPECT_NE(text.find("  reason " + std::to_string(i) + "\n"), std::string::npos);
  EXPECT_EQ(text.find("-v prints"), std::string::npos);
}

TEST(Console, PrintsDeathsFirstAndWarningsLast) {
  const std::string text = console_report(
      document_with({sample_record(RuleId::tensor_zero_copy, Verdict::warn, "consumer/float32/c/a", "1"),
                     sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/c/b", "2"),
                     sample_record(RuleId::managed_deleter_once, Verdict::timeout, "consumer/float32/c/c", "3"),
                     sample_record(RuleId::capsule_race, Verdict::crash, "consumer/float32/c/d", "4")}),
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
      console_report(document_with({record}), verbose)
          .find("  milder    warn instead of fail: No release of DLPack has a versioned struct with major version "
                "0, so that nothing can be misread (open question foreign-major).\n"),
      std::string::npos);
  EXPECT_NE(console_report(document_with({record}), {}).find("  milder    warn instead of fail: No release of DLPack"),
            std::string::npos);
  record.status = Verdict::xfail;
  EXPECT_EQ(console_report(document_with({record}), {}).find("milder"), std::string::npos);
}

TEST(Console, ExplainsWhatTheBaselineAccepts) {
  const std::string text = console_report(
      document_with({sample_record(RuleId::managed_borrow, Verdict::xfail, "producer/float32/c/a", "1"),
                     sample_record(RuleId::managed_borrow, Verdict::xfail, "producer/float32/c/b", "2"),
                     sample_record(RuleId::dtype_roundtrip, Verdict::xfail, "producer/float32/c/c", "3")}),
      {});
  EXPECT_NE(text.find("\nAccepted by the baseline (xfail): 3 records deviate as it lists, which fails\n"
                      "  nothing: managed.borrow (2), dtype.roundtrip (1)\n"),
            std::string::npos)
      << text;
}

TEST(Console, FoldsInformationByRule) {
  const Document document =
      document_with({sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/a", "one"),
                     sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/b", "two"),
                     sample_record(RuleId::dtype_roundtrip, Verdict::info, "consumer/int4/c/c", "two"),
                     sample_record(RuleId::tensor_zero_copy, Verdict::info, "consumer/int8/c/d", "three")});
  EXPECT_NE(console_report(document, {})
                .find("\nInformation:\n"
                      "     3 cases  dtype.roundtrip  one\n"
                      "     1 case   tensor.zero-copy  three\n"),
            std::string::npos)
      << console_report(document, {});
  EXPECT_NE(console_report(document, verbose).find("     2 cases  dtype.roundtrip  two\n"), std::string::npos);
}

TEST(Console, CutsTitlesOnlyWhereTheWidthIsKnown) {
  const Record record =
      sample_record(RuleId::python_export_buffererror, Verdict::fail, "producer/float32/c/refusal", "seen");
  ConsoleOptions options;
  const std::string title = std::string(rule(record.rule).title) + "\n";
  EXPECT_EQ(console_report(document_with({record}), options).find(title), std::string::npos);
  options.whole_titles = true;
  EXPECT_NE(console_report(document_with({record}), options).find(title), std::string::npos);
}

TEST(Console, NamesTheLevelOfAnImpliedRule) {
  const Document document =
      document_with({sample_record(RuleId::managed_not_early, Verdict::fail, "consumer/float32/c/release", "early")});
  EXPECT_NE(console_report(document, {}).find("managed.not-early  implied MUST  "), std::string::npos);
  EXPECT_NE(console_report(document, verbose).find("managed.not-early  MUST (implied by "), std::string::npos);
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

TEST(Console, TellsTheOnlyReasonInFull) {
  std::string reason = "the worker cannot be started:";
  for (int i = 0; i < 20; ++i) reason += " word" + std::to_string(i);
  std::vector<Record> results = {
      sample_record(RuleId::managed_borrow, Verdict::blocked, "producer/float32/c/a", reason)};
  EXPECT_NE(console_report(document_with(results), {}).find(" word19\n"), std::string::npos);
}

TEST(Console, KeepsSubjectsApart) {
  Document document = sample_document();
  SubjectInfo other = sample_subject();
  other.subject = other.name = "other";
  document.subjects.push_back(other);
  const std::string text = console_report(document, {});
  EXPECT_NE(text.find("\nother 2.4.6: nothing was judged\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace dlspec::conformance
