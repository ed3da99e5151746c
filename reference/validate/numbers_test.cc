// The numbers that each finding carries, as finding.def names them and faulty.def expects them.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::reference {
namespace {

constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

struct Numbers {
  RuleId rule;
  std::string_view way;
  std::int32_t axis;
  std::int64_t value;
  std::int64_t other;
};

constexpr std::int64_t packed(std::int64_t code, std::int64_t bits, std::int64_t lanes) {
  return code * (1 << 24) + bits * (1 << 16) + lanes;
}

constexpr Numbers expected[] = {
#define DLSPEC_FAULTY(...)
#define DLSPEC_NUMBERS(rule, way, ...) {RuleId::rule, way, __VA_ARGS__},
#include <dlspec/reference/testing/faulty.def>
#undef DLSPEC_FAULTY
};

Numbers numbers_of(const testing::FaultyRow& row) {
  for (const Numbers& numbers : expected) {
    if (row.rule == numbers.rule && row.way == numbers.way) return numbers;
  }
  return {row.rule, row.way, -1, 0, 0};
}

TEST(FindingNumbers, AreThoseOfTheFault) {
  for (const testing::FaultyRow& row : testing::faulty_table()) {
    const testing::Exhibit exhibit = testing::build(row);
    const Findings findings = validate(exhibit.exported(), exhibit.origin());
    ASSERT_FALSE(findings.empty()) << testing::row_text(row);
    const Numbers numbers = numbers_of(row);
    EXPECT_EQ(findings[0].axis, numbers.axis) << testing::row_text(row);
    EXPECT_EQ(findings[0].value, numbers.value) << testing::row_text(row);
    EXPECT_EQ(findings[0].other, numbers.other) << testing::row_text(row);
  }
}

TEST(FindingNumbers, AreExpectedOfRowsThatExist) {
  for (const Numbers& numbers : expected) {
    const auto is_its_row = [&](const testing::FaultyRow& row) {
      return row.rule == numbers.rule && row.way == numbers.way;
    };
    EXPECT_EQ(std::ranges::count_if(testing::faulty_table(), is_its_row), 1) << numbers.way;
  }
}

}  // namespace
}  // namespace dlspec::reference
