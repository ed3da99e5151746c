#include <dlspec/conformance/judging/death_policy.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

Case with_rule(RuleId primary, const char* layout = "c", Role role = Role::consumer) {
  Case work;
  work.role = role;
  work.layout = layout;
  work.primary = primary;
  return work;
}

TEST(DeathPolicy, TenDeathsInAllBlockEverything) {
  DeathPolicy policy;
  const RuleId rules[] = {RuleId::tensor_element_address, RuleId::managed_deleter_once, RuleId::tensor_zero_copy,
                          RuleId::managed_not_early, RuleId::capsule_destructor_present};
  const Case other = with_rule(RuleId::python_copy_true);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(policy.blocked(other)) << i;
    policy.count(with_rule(rules[i % 5]));
  }
  EXPECT_EQ(policy.blocked(other), "the worker died 10 times");
}

TEST(DeathPolicy, CasesThatMayShowTheCauseStillRunAfterTenDeaths) {
  DeathPolicy policy;
  for (int i = 0; i < 10; ++i)
    policy.count(with_rule(i % 2 == 0 ? RuleId::tensor_element_address : RuleId::tensor_zero_copy));
  const Case telling = with_rule(RuleId::managed_deleter_nothrow);
  EXPECT_FALSE(policy.blocked(telling));
  policy.ask(telling);
  EXPECT_EQ(policy.blocked(telling), "the worker died 10 times") << "once is enough";
  for (int i = 0; i < 5; ++i) policy.count(with_rule(RuleId::managed_borrow));
  EXPECT_EQ(policy.blocked(with_rule(RuleId::managed_deleter_any_thread)), "the worker died 15 times");
}

// PyTorch dies of some of them, now and then of ten: then nothing else was asked.
TEST(DeathPolicy, DeathsByStructsThatNoProducerMayMakeBlockThoseAlone) {
  DeathPolicy policy;
  Case hostile = with_rule(RuleId::tensor_shape_nonnull);
  hostile.id = "consumer/float32/c/hostile=null-shape";
  for (int i = 0; i < 3; ++i) policy.count(hostile);
  EXPECT_EQ(policy.blocked(hostile), "the worker died 3 times under tensor.shape-nonnull");
  EXPECT_FALSE(policy.blocked(with_rule(RuleId::tensor_shape_nonnull)));
  for (int i = 0; i < 20; ++i) policy.count(hostile);
  EXPECT_FALSE(policy.blocked(with_rule(RuleId::tensor_element_address)));
  hostile.primary = RuleId::tensor_ndim_nonnegative;
  EXPECT_EQ(policy.blocked(hostile), "the worker died 10 times of structs that no producer may make");
}

// A library that dies of every negative stride is still judged with the others.
TEST(DeathPolicy, DeathsInOneKindOfLayoutBlockThatKindAlone) {
  DeathPolicy policy;
  const RuleId primary = RuleId::tensor_element_address;
  policy.count(with_rule(primary, "negative"));
  EXPECT_FALSE(policy.blocked(with_rule(primary, "mixed")));
  policy.count(with_rule(primary, "negative1"));
  EXPECT_EQ(policy.blocked(with_rule(primary, "mixed")),
            "the worker died 2 times in layouts that tensor.strides-negative-ok is about");
  EXPECT_FALSE(policy.blocked(with_rule(primary, "mixed", Role::producer)));
  for (int i = 0; i < 20; ++i) policy.count(with_rule(primary, "negative"));
  EXPECT_FALSE(policy.blocked(with_rule(primary)));
  EXPECT_FALSE(policy.blocked(with_rule(primary, "broadcast")));
}

}  // namespace
}  // namespace dlspec::conformance
