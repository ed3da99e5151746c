#include <dlspec/conformance/judging/death_policy.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

TEST(DeathPolicy, TenDeathsInAllBlockEverything) {
  DeathPolicy policy;
  const RuleId rules[] = {RuleId::tensor_element_address, RuleId::managed_deleter_once, RuleId::tensor_zero_copy,
                          RuleId::managed_not_early, RuleId::capsule_destructor_present};
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(policy.blocked(RuleId::python_copy_true)) << i;
    policy.count(rules[i % 5]);
  }
  EXPECT_EQ(policy.blocked(RuleId::python_copy_true), "the worker died 10 times");
}

TEST(DeathPolicy, CasesThatMayShowTheCauseStillRunAfterTenDeaths) {
  DeathPolicy policy;
  for (int i = 0; i < 10; ++i) policy.count(i % 2 == 0 ? RuleId::tensor_element_address : RuleId::tensor_zero_copy);
  EXPECT_FALSE(policy.blocked(RuleId::managed_deleter_nothrow));
  policy.ask(RuleId::managed_deleter_nothrow);
  EXPECT_EQ(policy.blocked(RuleId::managed_deleter_nothrow), "the worker died 10 times") << "once is enough";
  for (int i = 0; i < 5; ++i) policy.count(RuleId::managed_borrow);
  EXPECT_EQ(policy.blocked(RuleId::managed_deleter_any_thread), "the worker died 15 times");
}

}  // namespace
}  // namespace dlspec::conformance
