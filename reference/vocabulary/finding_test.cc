#include <dlspec/vocabulary/finding.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace dlspec {
namespace {

RuleId nth_rule(std::size_t n) { return static_cast<RuleId>(n % rules().size()); }

TEST(FindingTable, RowsAreUnique) {
  std::set<std::pair<RuleId, int>> seen;
  for (const FindingRow& row : finding_table()) {
    EXPECT_TRUE(seen.insert({row.rule, row.variant}).second) << rule(row.rule).id << " variant " << int{row.variant};
  }
}

TEST(FindingTable, VariantsAreNumberedFromZero) {
  std::set<std::pair<RuleId, int>> seen;
  for (const FindingRow& row : finding_table()) {
    seen.insert({row.rule, row.variant});
    EXPECT_TRUE(row.variant == 0 || seen.contains({row.rule, row.variant - 1})) << rule(row.rule).id;
  }
}

TEST(FindingTable, VerdictsAreThoseOfAViolation) {
  const std::set<Verdict> allowed = {Verdict::fail, Verdict::warn, Verdict::info, Verdict::unsupported};
  for (const FindingRow& row : finding_table()) EXPECT_TRUE(allowed.contains(row.verdict)) << rule(row.rule).id;
}

// What only a newer release, or no release yet, may define is told; so is a refusal that dlspec itself makes.
TEST(FindingTable, VerdictsAreThoseOfTheRulesButForThese) {
  const std::map<std::pair<RuleId, int>, Verdict> exceptions = {
      {{RuleId::device_type_known, 1}, Verdict::info},
      {{RuleId::device_type_known, 2}, Verdict::info},
      {{RuleId::dtype_code_known, 1}, Verdict::info},
      {{RuleId::dtype_code_known, 2}, Verdict::info},
      {{RuleId::dtype_truthful, 1}, Verdict::warn},
      {{RuleId::tensor_ndim_cap_refused, 0}, Verdict::unsupported},
      {{RuleId::flags_undefined_bits_zero, 1}, Verdict::info},
  };
  for (const FindingRow& row : finding_table()) {
    const auto exception = exceptions.find({row.rule, row.variant});
    EXPECT_EQ(row.verdict, exception != exceptions.end() ? exception->second : rule(row.rule).violated)
        << rule(row.rule).id << " variant " << int{row.variant};
  }
}

TEST(FindingTable, EveryRuleFitsIntoOneAnswer) {
  std::set<RuleId> ids;
  for (const FindingRow& row : finding_table()) ids.insert(row.rule);
  EXPECT_LT(ids.size(), Findings::capacity);
}

// Numbers that cannot occur in the texts themselves.
Finding telling_finding(const FindingRow& row) { return {row.rule, row.variant, 41, 0x02207777, 0x05407788}; }

TEST(FindingText, FillsEveryPlaceholder) {
  for (const FindingRow& row : finding_table()) {
    for (const std::string& text : {observed_text(telling_finding(row)), allowed_text(telling_finding(row))}) {
      EXPECT_FALSE(text.empty()) << rule(row.rule).id;
      EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << rule(row.rule).id << ": " << text;
    }
  }
}

TEST(FindingText, ShowsTheNumbersThatItNames) {
  const std::pair<std::string, std::string> placeholders[] = {
      {"{axis}", "41"},       {"{value}", "35682167"},      {"{other}", "88110984"},
      {"{hex}", "0x2207777"}, {"{dtype}", "float32x30583"}, {"{other_dtype}", "complex64x30600"}};
  for (const FindingRow& row : finding_table()) {
    const std::string text = observed_text(telling_finding(row)) + "\n" + allowed_text(telling_finding(row));
    const std::string format = std::string(row.observed) + "\n" + row.allowed;
    for (const auto& [placeholder, shown] : placeholders) {
      EXPECT_EQ(format.find(placeholder) != std::string::npos, text.find(shown) != std::string::npos)
          << rule(row.rule).id << ": " << placeholder << " in " << text;
    }
  }
}

TEST(FindingText, ReadsAsWritten) {
  const Finding extent{RuleId::tensor_extent_nonnegative, 0, 2, -5};
  EXPECT_EQ(observed_text(extent), "shape[2] = -5");
  EXPECT_EQ(allowed_text(extent), "an extent of at least 0");
  EXPECT_EQ(verdict_of(extent), Verdict::fail);
  const Finding flags{RuleId::flags_undefined_bits_zero, 0, -1, std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(observed_text(flags), "undefined flag bits 0x8000000000000000");
  const Finding dtype{RuleId::dtype_truthful, 1, -1, 0x01080001, 0x06080001};
  EXPECT_EQ(observed_text(dtype), "the struct says uint8");
  EXPECT_EQ(allowed_text(dtype), "the source's dtype, bool");
  EXPECT_EQ(verdict_of(dtype), Verdict::warn);
}

TEST(FindingText, OfAnUnlistedFindingSaysSo) {
  EXPECT_EQ(observed_text({RuleId::bridge_rearrange_no_fp_ops, 0}), "an unlisted finding");
  EXPECT_EQ(observed_text({RuleId::tensor_extent_nonnegative, 9}), "an unlisted finding");
  EXPECT_EQ(finding_row({RuleId::tensor_extent_nonnegative, 9}).variant, 0);
}

TEST(Findings, StartEmpty) {
  const Findings findings;
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(findings.size(), 0u);
  EXPECT_EQ(findings.begin(), findings.end());
  EXPECT_FALSE(findings.contains(RuleId::version_filled));
}

TEST(Findings, ComeInRuleOrder) {
  Findings findings;
  findings.add({RuleId::tensor_shape_nonnull, 0, -1, 3});
  findings.add({RuleId::flags_undefined_bits_zero, 0, -1, 8});
  findings.add({RuleId::version_filled, 0, -1, 0});
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].rule, RuleId::version_filled);
  EXPECT_EQ(findings[1].rule, RuleId::tensor_shape_nonnull);
  EXPECT_EQ(findings[2].rule, RuleId::flags_undefined_bits_zero);
  EXPECT_EQ(findings.find(RuleId::tensor_shape_nonnull)->value, 3);
  EXPECT_EQ(findings.find(RuleId::tensor_in_allocation), nullptr);
}

TEST(Findings, KeepTheFirstOfEachRule) {
  Findings findings;
  findings.add({RuleId::tensor_extent_nonnegative, 0, 1, -1});
  findings.add({RuleId::tensor_extent_nonnegative, 0, 2, -2});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].axis, 1);
}

TEST(Findings, DropWhatDoesNotFit) {
  Findings findings;
  for (std::size_t n = 0; n < Findings::capacity + 5; ++n) findings.add({nth_rule(n)});
  EXPECT_EQ(findings.size(), Findings::capacity);
  EXPECT_EQ(findings[Findings::capacity - 1].rule, nth_rule(Findings::capacity - 1));
  findings.add({nth_rule(0), 0, -1, 77});
  EXPECT_EQ(findings.size(), Findings::capacity);
  EXPECT_EQ(findings[0].value, 0);
}

TEST(Findings, AreEqualWhenTheirFindingsAre) {
  Findings one, other;
  EXPECT_EQ(one, other);
  one.add({RuleId::version_filled, 0, -1, 0, 3});
  EXPECT_FALSE(one == other);
  other.add({RuleId::version_filled, 0, -1, 0, 4});
  EXPECT_FALSE(one == other);
  Findings same;
  same.add({RuleId::version_filled, 0, -1, 0, 3});
  EXPECT_EQ(one, same);
}

TEST(Findings, AreCopiedWhole) {
  Findings findings;
  for (std::size_t n = 0; n < Findings::capacity; ++n) findings.add({nth_rule(n), 0, -1, static_cast<std::int64_t>(n)});
  const Findings copy = findings;
  EXPECT_EQ(copy, findings);
  EXPECT_EQ(copy[Findings::capacity - 1].value, static_cast<std::int64_t>(Findings::capacity - 1));
}

RC_GTEST_PROP(FindingsProperty, AnyOrderOfAdditionsIsSortedAndUnique, ()) {
  const auto numbers = *rc::gen::resize(
      Findings::capacity, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
  Findings findings;
  std::set<RuleId> expected;
  for (const std::uint8_t number : numbers) {
    findings.add({nth_rule(number), 0, -1, number});
    expected.insert(nth_rule(number));
  }
  RC_ASSERT(findings.size() == std::min(expected.size(), Findings::capacity));
  RC_ASSERT(std::is_sorted(findings.begin(), findings.end(),
                           [](const Finding& a, const Finding& b) { return a.rule < b.rule; }));
  for (const Finding& finding : findings) RC_ASSERT(expected.contains(finding.rule));
}

}  // namespace
}  // namespace dlspec
