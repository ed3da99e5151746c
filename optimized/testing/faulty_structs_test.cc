// The table of faulty structs, for the optimized validator: each reports exactly its rule, its valid twin none; and two
// faults in one struct give the same findings as the reference.
#include <gtest/gtest.h>

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/testing/sweep.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/testing/faulty.h>

namespace dlspec::optimized::testing {
namespace {

using dlspec::testing::alter;
using dlspec::testing::build;
using dlspec::testing::build_twin;
using dlspec::testing::Exhibit;
using dlspec::testing::faulty_table;
using dlspec::testing::FaultyRow;
using dlspec::testing::Field;

TEST(ValidateFaulty, RaisesExactlyTheRuleOfEachRow) {
  ASSERT_GE(faulty_table().size(), 40u);
  for (const FaultyRow& row : faulty_table()) {
    SCOPED_TRACE(row_name(row) + ": " + row_text(row));
    const Exhibit exhibit = build(row);
    const Findings findings = validate(exhibit.exported(), exhibit.origin());
    EXPECT_EQ(findings.size(), 1u) << describe(findings);
    if (findings.empty()) continue;
    EXPECT_EQ(findings[0].rule, row.rule) << describe(findings);
    EXPECT_EQ(findings[0].variant, row.variant) << describe(findings);
    EXPECT_EQ(disagreement(exhibit.exported(), exhibit.origin()), "");
  }
}

TEST(ValidateFaulty, RaisesNothingForTheTwins) {
  for (const FaultyRow& row : faulty_table()) {
    const Exhibit twin = build_twin(row);
    const Findings findings = validate(twin.exported(), twin.origin());
    EXPECT_TRUE(findings.empty()) << row_name(row) << ": " << row.base << '\n' << describe(findings);
  }
}

// True if both would read beyond the numbers: the rank is above them, or two faults moved the pointer by a whole
// number.
bool ends_beyond(const std::int64_t* first, std::int32_t rank, const std::vector<std::int64_t>& numbers) {
  const bool is_read = first != nullptr && reinterpret_cast<std::uintptr_t>(first) % alignof(std::int64_t) == 0;
  return is_read && (first != numbers.data() || rank > static_cast<std::int64_t>(numbers.size()));
}

// Rows that change fields which the struct's generation lacks have no effect here.
TEST(ValidateFaulty, AgreesOnEveryPairOfFaults) {
  Sweep sweep;
  for (const FaultyRow& row : faulty_table()) {
    for (const FaultyRow& second : faulty_table()) {
      if (second.field == Field::object) continue;
      Exhibit exhibit = build(row);
      const auto rank = static_cast<std::size_t>(std::max(exhibit.specimen().tensor().ndim, 0));
      const bool of_axis = second.field == Field::extent || second.field == Field::stride;
      if (of_axis && (second.axis >= rank || second.axis >= exhibit.specimen().strides().size())) continue;
      alter(exhibit.specimen(), second.field, second.value, second.axis);
      const abi::Tensor& tensor = exhibit.specimen().tensor();
      if (ends_beyond(tensor.shape, tensor.ndim, exhibit.specimen().shape())) continue;
      if (ends_beyond(tensor.strides, tensor.ndim, exhibit.specimen().strides())) continue;
      sweep.compare(exhibit.exported(), exhibit.origin());
    }
  }
  sweep.expect_both_kinds(1);
}

}  // namespace
}  // namespace dlspec::optimized::testing
