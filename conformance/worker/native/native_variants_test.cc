// The tables of the native worker against plan/variants.def: each native variant has one function, and no function is
// without a variant.
#include <dlspec/conformance/worker/native/native_variants.h>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

constexpr Role roles[] = {Role::producer, Role::consumer, Role::bridge, Role::exchange};

std::set<std::string> planned_variants(Role role) {
  std::set<std::string> names;
  for (const Variant& variant : variants()) {
    if (variant.role == role && is_native(variant.kinds)) names.insert(variant.name);
  }
  return names;
}

// What is wrong with a table, a line each: "without a function: legacy".
std::vector<std::string> mismatches(std::span<const NativeVariant> table, const std::set<std::string>& planned) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  for (const NativeVariant& row : table) {
    const std::string name(row.name);
    if (!seen.insert(name).second) found.push_back("twice in the table: " + name);
    if (!planned.contains(name)) found.push_back("not in the plan: " + name);
    if (row.answer == nullptr) found.push_back("without a function: " + name);
  }
  for (const std::string& name : planned) {
    if (!seen.contains(name)) found.push_back("without a function: " + name);
  }
  return found;
}

TEST(NativeVariants, EachPlannedVariantHasOneFunctionAndNoFunctionIsWithoutAVariant) {
  for (const Role role : roles) {
    EXPECT_EQ(mismatches(native_variants(role), planned_variants(role)), std::vector<std::string>{}) << role_name(role);
  }
  EXPECT_FALSE(planned_variants(Role::producer).empty());
  EXPECT_FALSE(planned_variants(Role::consumer).empty());
  EXPECT_FALSE(planned_variants(Role::bridge).empty());
}

TEST(NativeVariants, EachKindOfMismatchIsNoticed) {
  using Lines = std::vector<std::string>;
  const std::span<const NativeVariant> whole = producer_variants();
  const std::set<std::string> planned = planned_variants(Role::producer);
  std::vector<NativeVariant> table(whole.begin() + 1, whole.end());
  EXPECT_EQ(mismatches(table, planned), Lines{"without a function: " + std::string(whole.front().name)});
  table.assign(whole.begin(), whole.end());
  table.push_back(table.front());
  EXPECT_EQ(mismatches(table, planned), Lines{"twice in the table: " + std::string(table.front().name)});
  table.back() = {"retired", table.front().answer};
  EXPECT_EQ(mismatches(table, planned), Lines{"not in the plan: retired"});
  table.pop_back();
  table.front().answer = nullptr;
  EXPECT_EQ(mismatches(table, planned), Lines{"without a function: " + std::string(table.front().name)});
}

}  // namespace
}  // namespace dlspec::conformance
