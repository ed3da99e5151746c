#include <dlspec/conformance/report/rules_text.h>

#include <algorithm>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include <dlspec/conformance/deviations/deviations.h>
#include <dlspec/conformance/report/text_testing.h>
#include <dlspec/conformance/report/wrap.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/vocabulary/questions.h>

namespace dlspec::conformance {
namespace {

using text_testing::unwrapped;

std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

std::string explained(const Rule& rule) { return explain_rule(rule, evidence_of(rule)); }

TEST(RulesList, HasALineForEachMatch) {
  EXPECT_EQ(lines(rules_list("*")), static_cast<std::ptrdiff_t>(rules().size()));
  EXPECT_EQ(lines(rules_list("tensor.strides-not-null")), 1);
  EXPECT_EQ(rules_list("tensor.no-such-rule"), "");
  for (const Rule& row : rules()) EXPECT_NE(rules_list(row.id).find(row.title), std::string::npos);
}

TEST(RulesList, ShowsLevelSideVersionsAndCheck) {
  const std::string title = rule(RuleId::tensor_strides_not_null).title;
  EXPECT_EQ(rules_list("tensor.strides-not-null"),
            "tensor.strides-not-null  MUST        producer  1.2+      checked  " + title + "\n");
  EXPECT_NE(rules_list("tensor.element-address", true).find("\x1b[1mtensor.element-address\x1b[0m"), std::string::npos);
}

TEST(ExplainRule, TellsEverything) {
  for (const Rule& row : rules()) {
    const std::string page = explained(row);
    EXPECT_TRUE(page.starts_with(std::string(row.id) + "  " + row.title + "\n")) << page;
    const std::string text = unwrapped(page);
    EXPECT_NE(text.find(row.requirement), std::string::npos) << row.id;
    EXPECT_NE(text.find(row.source), std::string::npos) << row.id;
    EXPECT_NE(text.find(interval_text(row.interval)), std::string::npos) << row.id;
    EXPECT_NE(text.find(row.reason), std::string::npos) << row.id;
    EXPECT_EQ(text.find('{'), std::string::npos) << row.id;
  }
}

TEST(ExplainRule, KeepsThePageWidth) {
  for (const Rule& row : rules()) {
    std::istringstream page(explained(row));
    for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), page_width) << line;
  }
}

TEST(ExplainRule, SaysWhatIsReported) {
  const std::string text = explained(rule(RuleId::tensor_shape_truthful));
  EXPECT_NE(text.find("  reported    fail: rank N; allowed: the source's rank, M\n"
                      "              fail: shape[i] = N; allowed: the source's extent, M\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(explained(rule(RuleId::managed_borrow)).find("  reported "), std::string::npos);
}

TEST(ExplainRule, NamesOpenQuestionsAndKnownDeviations) {
  const std::string text = explained(rule(RuleId::tensor_data_null_when_empty));
  EXPECT_NE(text.find("  open        empty-data: Must data be NULL when a tensor has no elements?\n"),
            std::string::npos);
  for (const Rule& row : rules()) {
    const std::string line = unwrapped(explained(row));
    for (const Question* question : questions_about(row)) EXPECT_NE(line.find(question->question), std::string::npos);
    for (const Deviation& deviation : deviations_from(row)) {
      EXPECT_NE(line.find(unwrapped(deviation_text(deviation))), std::string::npos) << row.id;
    }
  }
}

TEST(ExplainRule, NamesTheVariantsThatAskForIt) {
  EXPECT_NE(explained(rule(RuleId::tensor_strides_not_null))
                .find("  asked in    producer: max_version=1.3, plain, versioned, legacy, extreme-values,"),
            std::string::npos);
  EXPECT_NE(explained(rule(RuleId::tensor_byte_offset_honoured))
                .find("  asked in    consumer: versioned, legacy, byte_offset=far, "),
            std::string::npos)
      << "through the layout";
  EXPECT_EQ(explained(rule(RuleId::exchange_header_stable)).find("asked in"), std::string::npos);
}

TEST(IntervalText, OfEachKind) {
  EXPECT_EQ(interval_text(interval::any), "every version");
  EXPECT_EQ(interval_text(interval::legacy), "structs without a version");
  EXPECT_EQ(interval_text(interval::python_spec), "everything that goes through Python capsules");
  EXPECT_EQ(interval_text(interval::array_api(2023)), "array API 2023.12 and later");
  EXPECT_EQ(interval_text(interval::from(1, 2)), "DLPack 1.2 and later");
  EXPECT_EQ(interval_text(interval::from(0, 6)), "DLPack 0.6 and later, structs without a version included");
  EXPECT_EQ(interval_text(interval::between({0, 3}, {1, 1})), "DLPack 0.3 to 1.1, structs without a version included");
  EXPECT_EQ(interval_text(interval::from(99, 0)), "no release yet");
}

TEST(LevelText, OfEachLevel) {
  EXPECT_EQ(level_text(rule(RuleId::tensor_element_address)), "MUST");
  EXPECT_EQ(level_text(rule(RuleId::version_minor_mismatch_usable)), "SHOULD");
  for (const Rule& row : rules()) {
    if (row.level != Level::implied) continue;
    EXPECT_EQ(level_text(row), "MUST (implied by " + std::string(row.implied_by) + ")");
  }
}

TEST(RulesCoverage, AddsUp) {
  std::istringstream table(rules_coverage(shown_rules()));
  std::string heading;
  std::getline(table, heading);
  EXPECT_EQ(heading, "group        rules  checked  tested  not yet  never");
  std::size_t sums[5] = {};
  std::string group;
  for (int i = 0; i < 13; ++i) {
    std::size_t figures[5];
    ASSERT_TRUE(table >> group >> figures[0] >> figures[1] >> figures[2] >> figures[3] >> figures[4]);
    EXPECT_EQ(figures[0], figures[1] + figures[3] + figures[4]) << group;
    EXPECT_LE(figures[2], figures[1]) << group;
    for (int k = 0; k < 5; ++k) {
      if (group == "all") {
        EXPECT_EQ(figures[k], sums[k]) << k;
      }
      sums[k] += figures[k];
    }
  }
  EXPECT_EQ(group, "all");
  EXPECT_EQ(sums[0], 2 * rules().size());
}

// Rule and reason, as they are listed: a reason is indented by two, the rules below it by four.
std::map<std::string, std::string> listed_reasons(const std::string& text) {
  std::map<std::string, std::string> reasons;
  std::istringstream lines(text);
  std::string reason;
  bool in_rules = true;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const bool rules_here = line.starts_with("    ");
    if (!rules_here && in_rules) reason.clear();
    if (!rules_here) reason += line.substr(in_rules ? 2 : 1);
    in_rules = rules_here;
    std::istringstream ids(rules_here ? line : "");
    for (std::string id; ids >> id;) reasons[id.ends_with(',') ? id.substr(0, id.size() - 1) : id] = reason;
  }
  return reasons;
}

TEST(RulesCoverage, GivesTheReasonForEveryUncheckedRule) {
  const std::map<std::string, std::string> listed = listed_reasons(rules_coverage(shown_rules()));
  for (const Rule& row : rules()) {
    const auto entry = listed.find(row.id);
    ASSERT_EQ(entry != listed.end(), row.coverage != Coverage::checked) << row.id;
    if (entry != listed.end()) {
      EXPECT_EQ(entry->second, std::string(row.reason) + ":") << row.id;
    }
  }
}

TEST(RulesCoverage, KeepsThePageWidth) {
  std::istringstream lines(rules_coverage(shown_rules()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), page_width) << line;
}

}  // namespace
}  // namespace dlspec::conformance
