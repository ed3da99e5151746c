#include <dlspec/reference/testing/clean_tensor.h>

#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/reference/validate/validate.h>

namespace dlspec::testing {
namespace {

TEST(CleanTensor, HasNoFindingButItsNotes) {
  CleanTensor tensor;
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    tensor.make(7, index);
    const Findings findings = reference::validate(tensor.exported(), tensor.origin());
    ASSERT_TRUE(tensor.is_noted_only(findings))
        << index << ": " << findings.size() << " findings, " << tensor.notes().size() << " notes"
        << (findings.empty() ? "" : std::string(", first ") + rule(findings[0].rule).id);
  }
}

TEST(CleanTensor, ReachesEveryCorner) {
  const auto census = std::make_unique<Census>();
  CleanTensor tensor;
  for (std::uint64_t index = 0; index < 400'000; ++index) {
    tensor.make(7, index);
    census->add(tensor);
  }
  EXPECT_EQ(census->missing(), std::vector<std::string>{});
  EXPECT_EQ(census->tensors(), 400'000u);
}

TEST(Census, NamesWhatWasNeverReached) {
  const auto census = std::make_unique<Census>(), other = std::make_unique<Census>();
  CleanTensor tensor;
  tensor.make(7, 0);
  census->add(tensor);
  const std::vector<std::string> missing = census->missing();
  const std::set<std::string> lines(missing.begin(), missing.end());
  EXPECT_GT(lines.size(), 150u);
  EXPECT_EQ(lines.count("rank " + std::to_string(tensor.tensor().ndim)), 0u);
  EXPECT_EQ(lines.count("rank 64") + lines.count("rank 63"), 2u);
  other->add(*census);
  EXPECT_EQ(other->missing(), missing);
  EXPECT_EQ(other->tensors(), 1u);
}

TEST(CleanTensor, IsTheSameForTheSameNumbers) {
  CleanTensor first, second;
  second.make(8, 1);
  int different = 0;
  for (std::uint64_t index = 0; index < 100; ++index) {
    first.make(7, index);
    second.make(7, index);
    EXPECT_EQ(first.tensor().data, second.tensor().data);
    EXPECT_EQ(first.managed().flags, second.managed().flags);
    second.make(8, index);
    different += first.tensor().data != second.tensor().data ? 1 : 0;
  }
  EXPECT_GT(different, 50) << "another seed gives other tensors";
}

TEST(CleanTensor, ANoteThatIsMissedOrTooManyIsNoticed) {
  CleanTensor tensor;
  Findings wrong;
  wrong.add({.rule = RuleId::device_id_nonnegative});
  int noted = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    tensor.make(7, index);
    EXPECT_FALSE(tensor.is_noted_only(wrong));
    const Findings findings = reference::validate(tensor.exported(), tensor.origin());
    noted += findings.empty() ? 0 : 1;
    EXPECT_EQ(tensor.is_noted_only({}), findings.empty());
  }
  EXPECT_GT(noted, 100);
}

}  // namespace
}  // namespace dlspec::testing
