#include <dlspec/conformance/baseline/update.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/conformance/baseline/apply.h>
#include <dlspec/conformance/baseline/sample_results.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {
namespace {

constexpr const char* today = "2026-11-21";
constexpr const char* empty_rule = "tensor.data-null-when-empty";

// The lines of the baseline alone.
std::string lines_of(const Baseline& baseline) {
  const std::string text = write_baseline(baseline);
  const std::size_t library = text.find("library NumPy\n");
  return library == std::string::npos ? "" : text.substr(library + 14);
}

UpdatedBaseline updated(const std::string& lines, std::vector<Document> documents) {
  Baseline old;
  old.file = "f";
  if (!lines.empty()) {
    const ReadBaseline read = parse_baseline("format dlspec-baseline/1\ndlspec 0.0.1\nlibrary NumPy\n" + lines, "f");
    EXPECT_EQ(read.error, "");
    old = *read.baseline;
  }
  std::vector<NamedDocument> named;
  for (std::size_t i = 0; i < documents.size(); ++i) named.push_back({std::to_string(i), documents[i]});
  return update_baseline(old, named);
}

std::string update(const std::string& lines, std::vector<Document> documents) {
  const UpdatedBaseline result = updated(lines, std::move(documents));
  EXPECT_EQ(result.error, "");
  return result.baseline ? lines_of(*result.baseline) : "";
}

Document deviating(const std::string& version = "2.4.6", const std::string& observed = "seen") {
  Document document = passed_run(version);
  EXPECT_EQ(set_records(document, empty_rule, "producer/*/empty/max_version=1.3", Verdict::warn, observed), 3u);
  return document;
}

TEST(UpdateBaseline, WritesOneLineForOneDeviation) {
  const UpdatedBaseline result = updated("", {deviating()});
  EXPECT_EQ(write_baseline(*result.baseline),
            "# Deviations that are known and accepted: `dlspec run --baseline` tells them from new ones.\n"
            "# `dlspec baseline update` keeps this file; the reasons are written by hand.\n"
            "format dlspec-baseline/1\ndlspec 0.1.0\n\nlibrary NumPy\n"
            "tensor.data-null-when-empty producer/{bool,int8,float32}/empty/max_version=1.3 warn \"seen\"\n");
  EXPECT_EQ(result.added, 1u);
  EXPECT_EQ(result.without_reason, 1u);
}

TEST(UpdateBaseline, BoundsTellCandidatesAndBuildsFromReleases) {
  constexpr struct {
    const char* deviating;
    const char* conforming;
    const char* bounds;
  } rows[] = {{"2.5", "2.6", "<2.6"},         {"2.6rc1", "2.6", "<=2.6rc1"},      {"2.5.1", "2.5.1+cpu", "!=2.5.1+cpu"},
              {"2.5+cpu", "2.6+cpu", "<2.6"}, {"2.5-dirty", "2.6-dirty", "<2.6"}, {"2.6", "2.6rc1", ">=2.6"}};
  for (const auto& row : rows) {
    Document documents[] = {deviating(row.deviating), passed_run(row.conforming)};
    const UpdatedBaseline result = updated("", {documents[0], documents[1]});
    ASSERT_TRUE(result.baseline) << result.error;
    EXPECT_NE(write_baseline(*result.baseline).find(" versions " + std::string(row.bounds) + "\n"), std::string::npos)
        << write_baseline(*result.baseline);
    for (Document& document : documents) {
      EXPECT_EQ(apply_baselines({&*result.baseline, 1}, document, today), std::vector<std::string>{}) << row.bounds;
    }
  }
}

TEST(UpdateBaseline, OfACleanRunNamesTheLibrary) {
  const UpdatedBaseline result = updated("", {passed_run("1.0")});
  EXPECT_EQ(result.baseline->libraries, std::vector<std::string>{"NumPy"});
  EXPECT_TRUE(result.baseline->lines.empty());
}

TEST(UpdateBaseline, LeavesOutCasesThatWereNotJudged) {
  Document document = deviating();
  set_records(document, empty_rule, "producer/int8/empty/max_version=1.3", Verdict::unsupported, "no");
  EXPECT_EQ(update("", {document}),
            "tensor.data-null-when-empty producer/{bool,float32}/empty/max_version=1.3 warn \"seen\"\n");
}

TEST(UpdateBaseline, KeepsWhatWasWrittenByHand) {
  const std::string line =
      "# why\ntensor.data-null-when-empty producer/*/empty/max_version=* warn any versions >=2.0,<2.6 expires "
      "2027-01-01 because \"link\"\n";
  EXPECT_EQ(update(line, {deviating()}), line);
  EXPECT_EQ(updated(line, {deviating()}).added, 0u);
}

TEST(UpdateBaseline, ADeviationThatChangedInheritsTheReasonAlone) {
  const std::string line =
      "tensor.data-null-when-empty producer/{bool,int8,float32}/empty/max_version=1.3 warn \"before\" expires "
      "2027-01-01 because \"link\"\n";
  const UpdatedBaseline result = updated(line, {deviating()});
  EXPECT_EQ(lines_of(*result.baseline),
            "tensor.data-null-when-empty producer/{bool,int8,float32}/empty/max_version=1.3 warn \"seen\" because "
            "\"link\"\n");
  EXPECT_EQ(result.added, 1u);
  EXPECT_EQ(result.dropped, 1u);
}

TEST(UpdateBaseline, DropsWhatIsGoneAndKeepsTheRestOfALine) {
  Document document = deviating();
  set_records(document, empty_rule, "producer/int8/empty/max_version=1.3", Verdict::pass);
  const std::string old =
      "tensor.data-null-when-empty producer/{bool,int8,float32}/empty/max_version=1.3 warn \"seen\" because \"link\"\n"
      "python.copy-true producer/float32/c/copy=true fail \"gone\"\n";
  EXPECT_EQ(
      update(old, {document}),
      "tensor.data-null-when-empty producer/{bool,float32}/empty/max_version=1.3 warn \"seen\" because \"link\"\n");
}

TEST(UpdateBaseline, KeepsLinesAboutWhatWasNotRun) {
  const std::string other_version = "python.copy-true producer/float32/c/copy=true fail \"old\" versions <2\n";
  const std::string not_selected = "tensor.zero-copy consumer/float32/c/zero-copy fail \"x\" because \"y\"\n";
  EXPECT_EQ(update(not_selected + other_version, {passed_run("2.4.6")}), not_selected + other_version);
  // One of the cases of a line was run, and conforms.
  Document document = passed_run("2.4.6", "producer/int8/empty/*");
  const std::string text =
      update("tensor.data-null-when-empty producer/{bool,int8}/empty/max_version=1.3 warn \"seen\"\n", {document});
  EXPECT_EQ(text, "tensor.data-null-when-empty producer/bool/empty/max_version=1.3 warn \"seen\"\n");
  const UpdatedBaseline another = updated("library Other\n" + other_version, {passed_run("2.4.6")});
  EXPECT_NE(write_baseline(*another.baseline).find("library Other\n" + other_version), std::string::npos);
}

TEST(UpdateBaseline, BoundsWhatOnlySomeVersionsDo) {
  const std::string text =
      "tensor.data-null-when-empty producer/{bool,int8,float32}/empty/max_version=1.3 warn \"seen\"";
  EXPECT_EQ(update("", {deviating("1.9"), deviating("1.10")}), text + "\n");
  EXPECT_EQ(update("", {passed_run("1.9"), deviating("1.10")}), text + " versions >=1.10\n");
  EXPECT_EQ(update("", {deviating("1.9"), passed_run("1.10")}), text + " versions <1.10\n");
  EXPECT_EQ(update("", {deviating("1.10"), passed_run("1.11"), deviating("1.9")}), text + " versions <1.11\n");
  EXPECT_EQ(update("", {deviating("1.9"), passed_run("1.10"), deviating("1.11")}),
            text + " versions <1.10\n" + text + " versions >=1.11\n");
  const std::string by_hand = text + " versions >=1.9.5\n";
  EXPECT_EQ(update(by_hand, {passed_run("1.9"), deviating("1.10")}), by_hand) << "it says the same of these versions";
}

TEST(UpdateBaseline, ReadsResultsThatHadABaseline) {
  Document document = deviating();
  const std::string fresh = update("", {document});
  const UpdatedBaseline first = updated("", {document});
  EXPECT_TRUE(apply_baselines({&*first.baseline, 1}, document, today).empty());
  EXPECT_EQ(update("", {document}), fresh);
}

// A library that reads memory beside a tensor shows other bytes in each run.
TEST(UpdateBaseline, AcceptsAnyTextWhereRunsOfOneVersionDiffer) {
  const auto run_with = [](const std::string& text) {
    Document document = deviating();
    for (Record& record : document.results) {
      if (record.status == Verdict::warn && record.case_id.starts_with("producer/int8/")) record.observed = text;
    }
    return document;
  };
  const std::string rule = "tensor.data-null-when-empty producer/";
  const std::string text = rule + "{bool,float32}/empty/max_version=1.3 warn \"seen\" because \"known\"\n";
  const std::string varies = rule + "int8/empty/max_version=1.3 warn any because \"known\"\n";
  const std::string old = rule + "{bool,int8,float32}/empty/max_version=1.3 warn \"seen\" because \"known\"\n";
  const std::vector<Document> runs = {run_with("seen"), run_with("0x24"), run_with("0x25")};
  EXPECT_EQ(update(old, runs), text + varies);
  EXPECT_EQ(update(text + varies, {run_with("0x26")}), text + varies) << "and keeps it";
}

TEST(UpdateBaseline, RefusesWhatContradictsItself) {
  EXPECT_EQ(updated("", {deviating(), passed_run("2.4.6")}).error,
            "1: NumPy 2.4.6 has two different results for tensor.data-null-when-empty in "
            "producer/bool/empty/max_version=1.3; give one of them");
  EXPECT_EQ(updated("", {deviating(), deviating()}).error, "");
  Document absent = passed_run("2.4.6");
  absent.subjects[0].name.clear();
  EXPECT_EQ(updated("", {absent}).error, "0: numpy==2.4.6 was not loaded; nothing is known about it");
}

// Any deviations, in any cases.
Document random_run() {
  static const Document passed = passed_run("2.4.6", "consumer/{bool,float32}/{c,empty}/versioned");
  Document document = passed;
  for (Record& record : document.results) {
    const Verdict status = *rc::gen::weightedElement<Verdict>(
        {{30, Verdict::pass}, {2, Verdict::warn}, {2, Verdict::fail}, {1, Verdict::crash}, {1, Verdict::unsupported}});
    const std::string subject = record.subject;
    record =
        sample_record(record.rule, status, record.case_id, *rc::gen::element<std::string>("seen", "also \"seen\"", ""));
    record.subject = subject;
  }
  return document;
}

int strict_status(const Baseline& baseline, Document document) {
  const std::vector<std::string> misfits = apply_baselines({&baseline, 1}, document, today);
  return exit_status({document.results, {}, {}, true, misfits});
}

RC_GTEST_PROP(UpdateBaseline, FitsItsResultsAndNoChangedOnes, ()) {
  const Document document = random_run();
  const std::vector<NamedDocument> inputs{{"a", document}};
  Baseline none;
  none.file = "f";
  const UpdatedBaseline made = update_baseline(none, inputs);
  RC_ASSERT(made.error == "");
  const ReadBaseline read = parse_baseline(write_baseline(*made.baseline), "f");
  RC_ASSERT(read.error == "");
  RC_ASSERT(strict_status(*read.baseline, document) == exit_good);
  RC_ASSERT(write_baseline(*update_baseline(*read.baseline, inputs).baseline) == write_baseline(*made.baseline));

  Document changed = document;
  Record& record = changed.results[*rc::gen::inRange<std::size_t>(0, changed.results.size())];
  const bool was_listed = is_deviation(record.status);
  const Verdict status =
      *rc::gen::element(Verdict::pass, Verdict::warn, Verdict::fail, Verdict::timeout, Verdict::blocked);
  const std::string observed = *rc::gen::element<std::string>("seen", "new");
  const bool same = status == record.status && observed == record.observed;
  RC_PRE(!same);
  RC_PRE(was_listed || is_deviation(status));
  const std::string subject = record.subject;
  record = sample_record(record.rule, status, record.case_id, observed);
  record.subject = subject;
  RC_ASSERT(strict_status(*read.baseline, changed) != exit_good);
}

}  // namespace
}  // namespace dlspec::conformance
