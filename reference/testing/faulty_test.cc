// Every row of the table of faulty structs breaks its rule, that one alone, and its twin none.
#include <dlspec/reference/testing/faulty.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <variant>

#include <gtest/gtest.h>

#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::testing {
namespace {

std::string text(const Findings& findings) {
  std::string lines;
  for (const Finding& finding : findings) {
    lines += std::string(rule(finding.rule).id) + " variant " + std::to_string(finding.variant) + ": " +
             observed_text(finding) + "\n";
  }
  return lines;
}

class FaultyStruct : public ::testing::TestWithParam<FaultyRow> {};

TEST_P(FaultyStruct, BreaksExactlyItsRule) {
  const Exhibit faulty = build(GetParam());
  const Findings findings = reference::validate(faulty.exported(), faulty.origin());
  ASSERT_EQ(findings.size(), 1U) << row_text(GetParam()) << "\n" << text(findings);
  EXPECT_EQ(findings[0].rule, GetParam().rule) << row_text(GetParam()) << "\n" << text(findings);
  EXPECT_EQ(findings[0].variant, GetParam().variant) << row_text(GetParam()) << "\n" << text(findings);
}

TEST_P(FaultyStruct, HasACleanTwin) {
  const Exhibit twin = build_twin(GetParam());
  const Findings findings = reference::validate(twin.exported(), twin.origin());
  EXPECT_TRUE(findings.empty()) << row_text(GetParam()) << "\n" << text(findings);
}

TEST_P(FaultyStruct, HasABaseInTheTextForm) {
  const auto parsed = reference::parse_text(GetParam().base);
  ASSERT_TRUE(std::holds_alternative<Descriptor>(parsed)) << GetParam().base << std::get<1>(parsed).message;
  EXPECT_EQ(reference::print_text(std::get<Descriptor>(parsed)), GetParam().base);
}

std::string test_name(const ::testing::TestParamInfo<FaultyRow>& info) {
  std::string name = row_name(info.param);
  std::replace_if(name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, FaultyStruct, ::testing::ValuesIn(faulty_table().begin(), faulty_table().end()),
                         test_name);

TEST(FaultyTable, ReachesEveryRowOfFindingDef) {
  for (const FindingRow& wanted : finding_table()) {
    const bool reached = std::any_of(faulty_table().begin(), faulty_table().end(), [&](const FaultyRow& row) {
      return row.rule == wanted.rule && row.variant == wanted.variant;
    });
    EXPECT_TRUE(reached) << rule(wanted.rule).id << " variant " << int{wanted.variant} << ": " << wanted.when;
  }
}

TEST(FaultyTable, StandsInRuleOrderWithUniqueNames) {
  std::set<std::string> names;
  for (const FaultyRow& row : faulty_table()) EXPECT_TRUE(names.insert(row_name(row)).second) << row_name(row);
  EXPECT_TRUE(std::is_sorted(faulty_table().begin(), faulty_table().end(), [](const FaultyRow& a, const FaultyRow& b) {
    return a.rule != b.rule ? a.rule < b.rule : a.variant < b.variant;
  }));
}

TEST(FaultyTable, SaysInWordsWhatItChanges) {
  const FaultyRow row{RuleId::tensor_extent_nonnegative, 0, "x", "float32 (3) @cpu bare", Field::extent, -1};
  EXPECT_EQ(row_text(row), "float32 (3) @cpu bare, but shape[0] = -1");
  EXPECT_EQ(row_name(row), "tensor.extent-nonnegative/x");
}

TEST(Exhibit, MovesWithoutLosingItsPointers) {
  for (const FaultyRow& row : faulty_table()) {
    Exhibit first = build(row);
    const Findings before = reference::validate(first.exported(), first.origin());
    const Exhibit second = std::move(first);
    EXPECT_EQ(reference::validate(second.exported(), second.origin()), before) << row_text(row);
  }
}

}  // namespace
}  // namespace dlspec::testing
