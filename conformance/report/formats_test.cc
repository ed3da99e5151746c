#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::json;

constexpr RuleId must_rule = RuleId::tensor_element_address;
constexpr RuleId should_rule = RuleId::tensor_data_null_when_empty;
const std::string hostile = "<script>alert(\"1\" & '2')</script>\n| a | *b* `c` ]]> \x1b[31m \xff";

// Two equal findings, a finding of each level, and texts that need escaping.
Document document_to_render() {
  Document document = sample_document();
  document.host["time"] = "2026-01-02T03:04:05Z";
  document.results.push_back(sample_record(must_rule, Verdict::fail, "producer/float32/negative/plain", "seen"));
  document.results.push_back(sample_record(should_rule, Verdict::warn, "producer/float32/empty/plain", hostile));
  document.subjects.push_back({"./a b.py", hostile, "", SubjectKind::python, {Role::producer}, "", "/a<b>", "", ""});
  Record strange = sample_record(must_rule, Verdict::fail, "producer/float32/c/plain", hostile);
  strange.subject = "./a b.py";
  document.results.push_back(strange);
  return document;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(Formats, AreMadeOfTheDocumentAlone) {
  for (const ReportFormat& format : formats()) {
    EXPECT_EQ(format.render(document_to_render()), format.render(document_to_render())) << format.name;
    EXPECT_FALSE(format.render(Document{}).empty()) << format.name;
  }
}

TEST(Formats, LetNoTextFromOutsideActOnTheReader) {
  for (const ReportFormat& format : formats()) {
    const std::string text = format.render(document_to_render());
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << format.name;
    EXPECT_EQ(text.find('\xff'), std::string::npos) << format.name;
    const bool markup = std::string(format.name) != "json" && std::string(format.name) != "sarif";
    if (markup) {
      EXPECT_FALSE(std::regex_search(text, std::regex("(^|[^\\\\])<script>alert"))) << format.name;
    }
  }
}

TEST(Sarif, SaysErrorForFailuresAndWarningForWarnings) {
  const Json run = Json::parse(sarif_report(document_to_render()))["runs"][0];
  std::map<std::string, std::size_t> levels;
  for (const Json& result : run["results"]) {
    ++levels[result["level"].get<std::string>()];
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  }
  // fail (two cases in one), crash, timeout and xpass, and the other subject's fail; two warnings; info and xfail.
  EXPECT_EQ(levels, (std::map<std::string, std::size_t>{{"error", 5}, {"warning", 2}, {"note", 2}}));
  std::map<std::string, std::string> defaults;
  for (const Json& row : run["tool"]["driver"]["rules"]) defaults[row["id"]] = row["defaultConfiguration"]["level"];
  EXPECT_EQ(defaults[rule(must_rule).id], "error");
  EXPECT_EQ(defaults[rule(should_rule).id], "warning");
}

TEST(Sarif, CountsEqualFindingsOnceAndNamesTheirCases) {
  const Json run = Json::parse(sarif_report(document_to_render()))["runs"][0];
  for (const Json& result : run["results"]) {
    const std::size_t related = result.contains("relatedLocations") ? result["relatedLocations"].size() : 0;
    EXPECT_EQ(result["occurrenceCount"].get<std::size_t>(), related + 1);
  }
  EXPECT_EQ(run["results"].back()["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "./a%20b.py");
  EXPECT_TRUE(std::any_of(run["results"].begin(), run["results"].end(),
                          [](const Json& result) { return result.contains("suppressions"); }));
}

pugi::xml_document parsed(const std::string& xml) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(xml.c_str())) << xml;
  return document;
}

TEST(JUnit, CountsWhatItHolds) {
  const Document document = document_to_render();
  const pugi::xml_document xml = parsed(junit_report(document));
  std::size_t tests = 0;
  for (const pugi::xml_node suite : xml.child("testsuites").children("testsuite")) {
    std::map<std::string, unsigned> found;
    for (const pugi::xml_node test : suite.children("testcase")) {
      ++found["tests"];
      ++found[test.first_child().name()];
    }
    tests += found["tests"];
    EXPECT_EQ(suite.attribute("tests").as_uint(), found["tests"]);
    EXPECT_EQ(suite.attribute("failures").as_uint(), found["failure"]);
    EXPECT_EQ(suite.attribute("errors").as_uint(), found["error"]);
    EXPECT_EQ(suite.attribute("skipped").as_uint(), found["skipped"]);
  }
  EXPECT_EQ(tests, document.results.size()) << "each has a rule and a status of its own, or is a finding";
  const pugi::xml_node numpy = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(numpy.attribute("failures").as_uint(), 3u);  // two fail, one xpass
  EXPECT_EQ(numpy.attribute("errors").as_uint(), 2u);    // crash, timeout
  EXPECT_NE(std::string(
                numpy.find_node([](pugi::xml_node node) { return std::string(node.name()) == "failure"; }).text().get())
                .find("repeat: dlspec run"),
            std::string::npos);
}

TEST(JUnit, TellsCasesThatShowNothingTogether) {
  Document document = sample_document();
  document.results.clear();
  for (int i = 0; i < 1000; ++i) {
    const std::string id = "producer/float32/c/" + std::to_string(i);
    document.results.push_back(sample_record(must_rule, Verdict::pass, id));
    document.results.push_back(sample_record(should_rule, Verdict::unsupported, id,
                                             i % 2   ? "no"
                                             : i < 3 ? "never"
                                                     : "so"));
  }
  document.results.push_back(sample_record(must_rule, Verdict::fail, "producer/float32/c/that", "seen"));
  const pugi::xml_document xml = parsed(junit_report(document));
  std::map<std::string, std::string> texts;
  for (const pugi::xml_node test : xml.child("testsuites").child("testsuite").children("testcase")) {
    const pugi::xml_node told = test.first_child();
    texts[std::string(test.attribute("classname").value()) + " " + test.attribute("name").value()] =
        told.attribute("message") ? told.attribute("message").value() : told.text().get();
  }
  EXPECT_EQ(texts,
            (std::map<std::string, std::string>{{"producer.tensor.element-address pass", "1000 cases"},
                                                {"producer.tensor.element-address producer/float32/c/that", "seen"},
                                                {"producer.tensor.data-null-when-empty unsupported",
                                                 "unsupported: 1000 cases; no (500); so (498); never (2)"}}));
}

TEST(JUnit, KeepsToItsSchema) {
  const auto run = [](const std::string& command) {
    return std::system(command.c_str());  // NOLINT(bugprone-command-processor): a command of the test's own
  };
  if (run("xmllint --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs xmllint (Debian: libxml2-utils)";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("dlspec-junit-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto schema = std::filesystem::path(__FILE__).parent_path() / "../core/schemas/junit.xsd";
  const auto complaints = [&](const std::string& xml) {
    std::ofstream(folder / "report.xml") << xml;
    const std::string command =
        "xmllint --noout --schema '" + schema.string() + "' '" + (folder / "report.xml").string() + "' >/dev/null 2>&1";
    return run(command);
  };
  const std::string good = junit_report(document_to_render());
  EXPECT_EQ(complaints(good), 0);
  EXPECT_EQ(complaints(junit_report(Document{})), 0);
  EXPECT_NE(complaints(std::regex_replace(good, std::regex("errors="), "mistakes=")), 0);
  std::filesystem::remove_all(folder);
}

TEST(Html, StandsAlone) {
  std::string page = html_report(document_to_render());
  ASSERT_NE(page.find(html_search), std::string::npos);
  page.erase(page.find(html_search), std::string_view(html_search).size());
  EXPECT_FALSE(
      std::regex_search(page, std::regex("<script|<link|<img|src=|url\\(|@import|href=\"(?!#|https://(github.com|"
                                         "data-apis.org|dmlc.github.io)/)")))
      << page;
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(page.find("<html lang=\"en\">"), std::string::npos);
  for (const char* tag :
       {"details", "summary", "dl", "ul", "li", "section", "fieldset", "label", "code", "svg", "g", "a"}) {
    EXPECT_EQ(count_of(page, std::string("<") + tag + ">") + count_of(page, std::string("<") + tag + " "),
              count_of(page, std::string("</") + tag + ">"))
        << tag;
  }
}

TEST(Html, ShowsEachFindingOnceWithItsCases) {
  const std::string page = html_report(document_to_render());
  EXPECT_EQ(count_of(page, "class=\"status fail\""), 2u) << "one for each subject";
  EXPECT_LT(page.find("class=\"verdict fails\""), page.find("class=\"status fail\"")) << "the verdict comes first";
  EXPECT_EQ(page.find("<b>0</b>"), std::string::npos) << "statuses without a record are left out";
  EXPECT_NE(page.find("/rules/" + std::string(rule(must_rule).id) + ".md\">"), std::string::npos);
  EXPECT_EQ(count_of(page, "producer/float32/negative/plain"), 1u);
  EXPECT_EQ(count_of(page, "&lt;script&gt;"), 4u) << "the name, twice, and two findings";
}

TEST(Reports, NameNoFoldersOfTheMachineThatMadeThem) {
  Document document = sample_document();
  document.subjects[0].loaded_from = "/home/somebody/venv/lib/python3.11/site-packages/numpy/__init__.py";
  for (Record& record : document.results) record.reproduce = "/home/somebody/bin/" + record.reproduce;
  for (const std::string& report : {html_report(document), markdown_report(document)}) {
    EXPECT_EQ(report.find("/home/"), std::string::npos) << report;
    EXPECT_NE(report.find("dlspec run numpy --case"), std::string::npos);
    EXPECT_NE(report.find("site-packages/numpy/__init__.py"), std::string::npos);
  }
  EXPECT_EQ(junit_report(document).find("/home/somebody/venv"), std::string::npos);
  EXPECT_NE(write_document(document).find("/home/somebody/venv"), std::string::npos) << "the document has all of it";
  document.subjects[0].subject = "/home/somebody/lib/mine.py";
  for (Record& record : document.results) {
    record.subject = document.subjects[0].subject;
    record.reproduce = "/home/somebody/bin/dlspec run /home/somebody/lib/mine.py --python /home/somebody/bin/python3";
  }
  for (const std::string& report : {html_report(document), markdown_report(document)}) {
    EXPECT_EQ(report.find("/home/"), std::string::npos) << report;
    EXPECT_NE(report.find("dlspec run ./mine.py --python python3"), std::string::npos) << report;
  }
  document.subjects[0].loaded_from = "/somewhere/build/libmine.so";
  EXPECT_NE(markdown_report(document).find("`.../build/libmine.so`"), std::string::npos);
}

TEST(Html, LinksThreads) {
  EXPECT_EQ(html_linked("see dmlc/dlpack#110, a/b<c"),
            "see <a href=\"https://github.com/dmlc/dlpack/issues/110\">dmlc/dlpack#110</a>, a/b&lt;c");
  EXPECT_EQ(html_linked("a/#1 /b#2 a/b# a/b#x"), "a/#1 /b#2 a/b# a/b#x");
  EXPECT_EQ(
      html_linked("a/b#1 c/d#2"),
      "<a href=\"https://github.com/a/b/issues/1\">a/b#1</a> <a href=\"https://github.com/c/d/issues/2\">c/d#2</a>");
}

TEST(Html, LinksTheDocumentsThatRulesCite) {
  EXPECT_EQ(
      html_source("dlpack.h v1.2, DLTensor.strides; derived from Python specification, Semantics; practice of a<b"),
      "<a href=\"https://github.com/dmlc/dlpack/blob/v1.2/include/dlpack/dlpack.h\">dlpack.h v1.2</a>, "
      "DLTensor.strides; derived from <a href=\"https://dmlc.github.io/dlpack/latest/python_spec.html\">Python "
      "specification</a>, Semantics; practice of a&lt;b");
  EXPECT_EQ(html_source("array API 2024.12, __dlpack__; dmlc/dlpack#110"),
            "<a href=\"https://data-apis.org/array-api/2024.12/\">array API 2024.12</a>, __dlpack__; <a "
            "href=\"https://github.com/dmlc/dlpack/issues/110\">dmlc/dlpack#110</a>");
}

TEST(Html, DrawsTheMemoryOfWhatATensorRuleIsAbout) {
  Document document = sample_document();
  document.results = {
      sample_record(RuleId::tensor_element_address, Verdict::fail, "producer/float32/negative/plain", "x"),
      sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/negative/plain", "x")};
  const std::string page = html_report(document);
  EXPECT_EQ(count_of(page, "<svg "), 1u);
  EXPECT_NE(page.find("strides (-4,-1), byte_offset 44"), std::string::npos) << page;
}

TEST(Markdown, FoldsAndEscapes) {
  const std::string text = markdown_report(document_to_render());
  EXPECT_EQ(count_of(text, "\n### fail: "), 2u);
  EXPECT_NE(text.find("- and in 1 more: `producer/float32/negative/plain`"), std::string::npos) << text;
  EXPECT_NE(text.find("\\<script\\>"), std::string::npos);
  EXPECT_NE(text.find("\\| a \\| \\*b\\* \\`c\\`"), std::string::npos) << text;
}

TEST(Badge, SaysWhatCounts) {
  Document document = sample_document();
  EXPECT_NE(badge(document).find("4 failed"), std::string::npos) << "fail, crash, timeout and xpass";
  document.results = {sample_record(must_rule, Verdict::pass, "producer/float32/c/plain")};
  EXPECT_NE(badge(document).find(">not judged<"), std::string::npos) << "of one rule alone";
  for (const RuleId rule : asked_rules(SubjectKind::python, Role::producer))
    document.results.push_back(sample_record(rule, Verdict::pass, "producer/float32/c/x"));
  const std::size_t tried = rule_figures(document).exercised_ids.size();
  EXPECT_GT(tried, 50u);
  EXPECT_NE(badge(document).find("NumPy 2.4.6 conforms (producer 100 % of rules exercised)</title>"), std::string::npos)
      << badge(document);
  EXPECT_NE(badge(document).find(fmt::format(">conforms, {} rules tried<", tried)), std::string::npos);
  document.results.push_back(sample_record(should_rule, Verdict::warn, "producer/float32/empty/plain", "seen"));
  EXPECT_NE(badge(document).find(fmt::format(">conforms, {} rules tried, 1 warns<", tried)), std::string::npos);
  document.results.clear();
  EXPECT_NE(badge(document).find(">not judged<"), std::string::npos);
  Record met = sample_record(must_rule, Verdict::pass, "exchange/float32/c/plain");
  met.subject.clear();
  met.role = Role::exchange;
  met.producer = met.consumer = "numpy";
  document.results = {met};
  EXPECT_NE(badge(document).find(">exchanges pass<"), std::string::npos);
  EXPECT_TRUE(parsed(badge(document)).child("svg"));
}

}  // namespace
}  // namespace dlspec::conformance
