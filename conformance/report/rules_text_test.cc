#include <dlspec/conformance/report/rules_text.h>

#include <algorithm>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

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
    const std::string text = explain_rule(row);
    EXPECT_TRUE(text.starts_with(std::string(row.id) + "  " + row.title + "\n")) << text;
    EXPECT_NE(text.find(row.requirement), std::string::npos) << row.id;
    EXPECT_NE(text.find(row.source), std::string::npos) << row.id;
    EXPECT_NE(text.find(interval_text(row.interval)), std::string::npos) << row.id;
    EXPECT_NE(text.find(row.reason), std::string::npos) << row.id;
    EXPECT_EQ(text.find('{'), std::string::npos) << row.id;
  }
}

TEST(ExplainRule, NamesTheVariantsThatAskForIt) {
  EXPECT_NE(explain_rule(rule(RuleId::tensor_strides_not_null))
                .find("  asked in    producer: max_version=1.3, plain, versioned, legacy\n"),
            std::string::npos);
  EXPECT_NE(explain_rule(rule(RuleId::tensor_byte_offset_honoured)).find("  asked in    consumer: versioned, legacy\n"),
            std::string::npos)
      << "through the layout";
  EXPECT_EQ(explain_rule(rule(RuleId::exchange_attr_on_type)).find("asked in"), std::string::npos);
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
  const std::string text = rules_coverage();
  EXPECT_EQ(lines(text), 14) << "a heading, twelve groups, all";
  EXPECT_NE(text.find("\nall            " + std::to_string(rules().size()) + " "), std::string::npos) << text;
}

}  // namespace
}  // namespace dlspec::conformance
