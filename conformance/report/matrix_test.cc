// The matrix of exchanges: the states of its cells, and its form in every report.
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/report/matrix.h>

#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/exchanges.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/merge.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

SubjectInfo library(const std::string& name) {
  SubjectInfo subject = sample_subject();
  subject.subject = name + "@latest";
  subject.name = name;
  return subject;
}

// A document of two libraries, without records.
Document pair_of() {
  Document document = sample_document();
  document.subjects = {library("Alpha"), library("Beta")};
  document.results.clear();
  return document;
}

Record& add(Document& document, const char* from, const char* to, const std::string& layout, Verdict status,
            const std::string& observed = "", RuleId id = RuleId::tensor_element_address) {
  Record record;
  record.role = Role::exchange;
  record.producer = std::string(from) + "@latest";
  record.consumer = std::string(to) + "@latest";
  record.rule = id;
  record.case_id = "exchange/float32/" + layout + "/plain";
  record.status = status;
  if (status != Verdict::pass) {
    record.observed = observed;
    record.allowed = "what is right";
    record.reproduce = "dlspec matrix";
  }
  document.results.push_back(record);
  return document.results.back();
}

void add_shared(Document& document, const char* from, const char* to, const std::string& memory = "shared") {
  add(document, from, to, "c", Verdict::pass).observation =
      ExchangeObservation{"float32 (3,4):(4,1)", "kept", memory, ""};
}

// The state of the cell from Alpha to Beta.
CellState state(const Document& document) { return matrix_of(document).at(0, 1).state; }

TEST(Matrix, HasACellForEachPairOfThoseThatTookPart) {
  Document document = pair_of();
  EXPECT_TRUE(matrix_of(document).empty());
  document.subjects.push_back(library("Idle"));
  add_shared(document, "Alpha", "Beta");
  const Matrix matrix = matrix_of(document);
  ASSERT_EQ(matrix.subjects.size(), 2u);
  ASSERT_EQ(matrix.cells.size(), 4u);
  EXPECT_EQ(matrix.at(0, 1).producer->name, "Alpha");
  EXPECT_EQ(matrix.at(0, 1).consumer->name, "Beta");
  EXPECT_EQ(matrix.at(0, 1).records.size(), 1u);
  EXPECT_EQ(matrix.at(1, 0).state, CellState::untried);
  EXPECT_TRUE(has_exchanges_only(document, document.subjects[0]));
  EXPECT_FALSE(has_exchanges_only(document, document.subjects[2]));
}

TEST(Matrix, TheConsoleFitsItsColumns) {
  Document document = sample_document();
  document.subjects.clear();
  document.results.clear();
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back("library-with-a-name-" + std::to_string(i));
  for (const std::string& name : names) document.subjects.push_back(library(name));
  const std::string why = "this pair cannot be loaded into one process, for one of them brings a runtime of its own";
  for (const std::string& from : names) {
    for (const std::string& to : names)
      add(document, from.c_str(), to.c_str(), "c", from == to ? Verdict::fail : Verdict::blocked, why);
  }
  for (const std::size_t width : {40u, 80u, 120u}) {
    ConsoleOptions options;
    options.width = width;
    options.break_commands = true;
    const std::string text = console_matrix(document, options);
    std::istringstream lines(text);
    std::vector<std::size_t> consumers;  // in the table headers
    std::size_t rows = 0, tables = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns(line), width) << line;
      const bool is_head = !line.empty() && line.find_first_not_of(" 0123456789") == std::string::npos;
      tables += is_head ? 1 : 0;
      rows += line.starts_with("   1 ") || line.starts_with("  20 ") ? 1 : 0;
      std::istringstream numbers(is_head ? line : "");
      for (std::size_t number = 0; numbers >> number;) consumers.push_back(number);
    }
    EXPECT_EQ(consumers.size(), names.size()) << text;
    EXPECT_TRUE(std::is_sorted(consumers.begin(), consumers.end()));
    EXPECT_EQ(rows, 2 * tables) << text;
    EXPECT_EQ(tables, width == 40 ? 4u : width == 80 ? 2u : 1u) << text;
  }
}

TEST(Matrix, APageOfTwentyLibrariesStaysSmallAndNamesWhatFailed) {
  const auto page_of = [](int libraries) {
    Document document = sample_document();
    document.subjects.clear();
    document.results.clear();
    std::vector<std::string> names;
    for (int i = 0; i < libraries; ++i) names.push_back("library-" + std::to_string(100 + i));
    for (const std::string& name : names) document.subjects.push_back(library(name));
    for (const std::string& from : names) {
      for (const std::string& to : names) {
        for (int i = 0; i < 44; ++i) add_shared(document, from.c_str(), to.c_str());
        for (int i = 0; i < 44; ++i)
          document.results[document.results.size() - 1 - static_cast<std::size_t>(i)].case_id += std::to_string(i);
        for (const char* layout : {"negative", "offset"})
          add(document, from.c_str(), to.c_str(), layout, Verdict::fail, layout + std::string(300, '<'));
        add(document, from.c_str(), to.c_str(), "readonly", Verdict::fail, std::string(300, 'r'),
            RuleId::flags_read_only_respected);
        add(document, from.c_str(), to.c_str(), "zero", Verdict::warn, std::string(300, 'w'),
            RuleId::tensor_strides_null_tolerance);
      }
    }
    return html_report(document);
  };
  const auto count_in = [](const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  const std::string large = page_of(20), middle = page_of(5), small = page_of(2);
  EXPECT_LT(std::max(large.size(), middle.size()), 500'000u);
  for (const char* id : {"tensor.element-address", "flags.read-only-respected", "tensor.strides-null-tolerance"}) {
    EXPECT_EQ(count_in(large, std::string("<code>") + id + "</code>"), 400u) << "each pair names " << id;
    EXPECT_EQ(count_in(middle, std::string("<code>") + id + "</code>"), 25u) << id;
  }
  EXPECT_EQ(count_in(large, "44 pass"), 400u);
  EXPECT_EQ(count_in(middle, "<code>exchange/float32/offset/plain</code>"), 25u) << "folded, what failed is named";
  EXPECT_EQ(count_in(middle, "<code>exchange/float32/c/plain"), 0u);
  EXPECT_EQ(count_in(small, "<code>exchange/float32/c/plain"), 4u * 44u) << "every case where there is room";
}

TEST(Matrix, CellsSayTheWorstFirst) {
  Document document = pair_of();
  add(document, "Alpha", "Beta", "negative", Verdict::blocked, "not in one process");
  EXPECT_EQ(state(document), CellState::apart);
  add(document, "Alpha", "Beta", "strided", Verdict::unsupported, "refused");
  EXPECT_EQ(state(document), CellState::refused);
  add_shared(document, "Alpha", "Beta");
  EXPECT_EQ(state(document), CellState::shared);
  add_shared(document, "Alpha", "Beta", "none");
  EXPECT_EQ(state(document), CellState::shared);
  Document copied = document;
  add(copied, "Alpha", "Beta", "offset", Verdict::pass).observation = ExchangeObservation{"", "unknown", "copied", ""};
  EXPECT_EQ(state(copied), CellState::copied);
  add(document, "Alpha", "Beta", "readonly", Verdict::warn, "lost", RuleId::flags_read_only_respected);
  EXPECT_EQ(state(document), CellState::warns);
  for (const Verdict death : {Verdict::fail, Verdict::crash, Verdict::timeout}) {
    Document failing = document;
    add(failing, "Alpha", "Beta", "broadcast", death, "wrong");
    EXPECT_EQ(state(failing), CellState::fails);
    EXPECT_EQ(count_text(matrix_of(failing).at(0, 1)), "1 of 5");
  }
}

TEST(Matrix, CasesArePutTogetherByTheirWorstRule) {
  Document document = pair_of();
  add(document, "Alpha", "Beta", "c", Verdict::unsupported, "tells no dtype", RuleId::dtype_truthful);
  add_shared(document, "Alpha", "Beta");
  add(document, "Alpha", "Beta", "offset", Verdict::pass, "", RuleId::dtype_truthful);
  add(document, "Alpha", "Beta", "offset", Verdict::fail, "other elements");
  const Cell cell = matrix_of(document).at(0, 1);
  const std::vector<ExchangedCase> cases = cases_of(cell);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].status, Verdict::pass);
  EXPECT_EQ(cases[0].reason, "");
  EXPECT_TRUE(cases[0].primary->observation);
  EXPECT_EQ(cases[1].status, Verdict::fail);
  EXPECT_EQ(cases[1].reason, "other elements");
  EXPECT_EQ(count_text(cell), "1 of 2");
}

Document sample_exchanges() {
  Document document = pair_of();
  add_shared(document, "Alpha", "Alpha");
  add_shared(document, "Alpha", "Beta", "copied");
  add(document, "Beta", "Alpha", "readonly", Verdict::warn, "may be <written>", RuleId::flags_read_only_respected)
      .observation = ExchangeObservation{"float32 (3,4):(4,1)", "kept", "shared", "lost"};
  add(document, "Beta", "Beta", "c", Verdict::blocked, "no common version");
  return document;
}

TEST(Matrix, SaysWhichPairsExchangeByTable) {
  Document document = sample_exchanges();
  EXPECT_EQ(table_sentence(matrix_of(document)), "");
  document.results[0].observation->by_table = "both";
  document.results[1].observation->by_table = "consumer";
  document.results[2].observation->by_table = "consumer";
  const std::string sentence = "By exchange table: 1 pair on both sides, 2 on the consumer's alone.";
  EXPECT_EQ(table_sentence(matrix_of(document)), sentence);
  EXPECT_NE(console_matrix(document, {}).find(sentence), std::string::npos);
  EXPECT_NE(markdown_matrix(document).find(sentence), std::string::npos);
  EXPECT_NE(html_matrix(document).find("<td>both</td>"), std::string::npos);
  EXPECT_EQ(parse_document(write_document(document), "a.json").document->results[0].observation->by_table, "both");
}

TEST(Matrix, CasesThatDoNotApplyAreNotCounted) {
  Document document = pair_of();
  add_shared(document, "Alpha", "Beta");
  add(document, "Alpha", "Beta", "strided", Verdict::not_applicable);
  EXPECT_EQ(count_text(matrix_of(document).at(0, 1)), "1 of 1");
}

TEST(Matrix, WordsStandInTheOrderOfTheStates) {
  std::string symbols;
  for (std::size_t i = 0; i < state_words().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(state_words()[i].state), i);
    symbols += state_words()[i].symbol;
  }
  for (const char symbol : symbols) EXPECT_EQ(std::count(symbols.begin(), symbols.end(), symbol), 1) << symbol;
}

TEST(Matrix, DocumentsKeepEverything) {
  const Document document = sample_exchanges();
  const ReadDocument read = parse_document(write_document(document), "a.json");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(write_document(*read.document), write_document(document));
  EXPECT_EQ(read.document->results[2].observation->read_only, "lost");
  auto json = nlohmann::json::parse(write_document(document));
  json["subjects"][0]["subject"] = "Gamma@latest";
  EXPECT_NE(parse_document(json.dump(), "a.json").error.find(" is not among the subjects"), std::string::npos);
}

TEST(Matrix, EveryReportShowsIt) {
  const Document document = sample_exchanges();
  const std::string console = console_report(document, {});
  EXPECT_NE(console.find("   1 Alpha 2.4.6   =   +\n   2 Beta 2.4.6    w   x\n"), std::string::npos) << console;
  EXPECT_NE(console.find("Beta 2.4.6 to Beta 2.4.6: no common version\n"), std::string::npos) << console;
  Document apart = document;
  add(apart, "Alpha", "Beta", "c", Verdict::fail, "wrong");
  apart.results.erase(apart.results.begin());
  add(apart, "Alpha", "Alpha", "c", Verdict::blocked, "no common version");
  EXPECT_NE(console_report(apart, {}).find("  Alpha 2.4.6 to Alpha 2.4.6 and 1 more: no common version\n"),
            std::string::npos);
  EXPECT_NE(console.find("WARN  flags.read-only-respected"), std::string::npos) << console;
  EXPECT_EQ(console.find("nothing was judged"), std::string::npos) << console;
  EXPECT_NE(markdown_report(document).find("| **Beta 2.4.6** | warns 1 of 1 | apart |"), std::string::npos);
  const std::string page = html_report(document);
  EXPECT_NE(page.find("id=\"cell-2-1\" href=\"#pair-2-1\""), std::string::npos);
  EXPECT_NE(page.find("may be &lt;written&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<written>"), std::string::npos);
  EXPECT_NE(junit_report(document).find("testsuite name=\"Beta@latest to Alpha@latest\""), std::string::npos);
  EXPECT_NE(sarif_report(document).find("Beta@latest%20to%20Alpha@latest"), std::string::npos);
}

TEST(Matrix, MergedDocumentsHaveEachExchangeOnce) {
  Document other = pair_of();
  other.subjects[1] = library("Gamma");
  add_shared(other, "Alpha", "Alpha");
  add_shared(other, "Alpha", "Gamma");
  const ReadDocument merged = merge_documents(std::vector<NamedDocument>{{"a", sample_exchanges()}, {"b", other}});
  ASSERT_EQ(merged.error, "");
  EXPECT_EQ(merged.document->subjects.size(), 3u);
  EXPECT_EQ(merged.document->results.size(), 5u);
  other.subjects[0].version = "1.0";
  EXPECT_NE(merge_documents(std::vector<NamedDocument>{{"a", sample_exchanges()}, {"b", other}}).error, "");
}

TEST(Exchanges, OfThePlanAreTheSameForEverybody) {
  const std::vector<Case> plan = make_exchange_plan("*", 0);
  std::set<std::string> ids;
  for (const Case& work : plan) {
    EXPECT_TRUE(ids.insert(work.id).second) << work.id;
    EXPECT_EQ(work.role, Role::exchange);
    EXPECT_TRUE(work.id.starts_with("exchange/" + work.dtype + "/" + work.layout + "/" + work.variant)) << work.id;
    EXPECT_NE(std::find(work.rules.begin(), work.rules.end(), work.primary), work.rules.end());
    EXPECT_TRUE(std::is_sorted(work.rules.begin(), work.rules.end()));
    EXPECT_EQ(work.order.bytes.empty(), work.layout == "empty") << work.id;
    for (const RuleId id : work.rules) EXPECT_EQ(rule(id).coverage, Coverage::checked) << rule(id).id;
  }
  EXPECT_TRUE(ids.contains("exchange/bool/rank1/plain"));
  EXPECT_TRUE(ids.contains("exchange/float32/negative/producer-first"));
  EXPECT_EQ(make_exchange_plan("exchange/*/c/plain", 0).size(), 1u);
  EXPECT_TRUE(make_exchange_plan("producer/*", 0).empty());
  EXPECT_NE(make_exchange_plan("*", 7)[2].order.bytes, plan[2].order.bytes);
}

}  // namespace
}  // namespace dlspec::conformance
