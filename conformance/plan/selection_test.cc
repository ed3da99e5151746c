// What a selection leaves of a plan, and how a plan is divided into shards.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

Selection everything(SubjectKind kind = SubjectKind::python) {
  Selection selection;
  selection.kind = kind;
  return selection;
}

std::vector<std::string> ids(const std::vector<Case>& plan) {
  std::vector<std::string> found;
  for (const Case& work : plan) found.push_back(work.id);
  return found;
}

TEST(Selection, RulesKeepsWhatMatches) {
  Selection selection = everything();
  selection.rules = "managed.deleter-*";
  const std::vector<Case> plan = make_plan(selection);
  EXPECT_FALSE(plan.empty());
  for (const Case& work : plan) {
    for (const RuleId id : work.rules) EXPECT_EQ(std::string_view(rule(id).id).substr(0, 16), "managed.deleter-");
    EXPECT_EQ(std::count(work.rules.begin(), work.rules.end(), work.primary), 1)
        << "a crash is recorded under a rule of the case";
  }
}

TEST(Selection, OneCaseOneRule) {
  Selection selection = everything();
  selection.cases = "producer/float32/negative/max_version=1.3";
  selection.rules = "tensor.element-address";
  const std::vector<Case> plan = make_plan(selection);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].rules, std::vector{RuleId::tensor_element_address});
  EXPECT_EQ(plan[0].order.strides, (std::vector<std::int64_t>{-4, -1}));
  EXPECT_EQ(plan[0].order.offset, 11);
}

TEST(Selection, Roles) {
  Selection selection = everything();
  selection.roles = {Role::consumer};
  for (const Case& work : make_plan(selection)) EXPECT_EQ(work.role, Role::consumer);
  EXPECT_FALSE(plan_is_empty(selection));
}

TEST(Selection, LevelKeepsWhatBindsMore) {
  Selection selection = everything();
  selection.level = Level::implied;
  std::set<Level> levels;
  for (const Case& work : make_plan(selection)) {
    for (const RuleId id : work.rules) levels.insert(rule(id).level);
  }
  EXPECT_EQ(levels, (std::set{Level::must, Level::implied}));
}

TEST(Selection, OfNothingIsVisible) {
  Selection selection = everything();
  selection.rules = "tensor.no-such-rule";
  EXPECT_TRUE(plan_is_empty(selection));
  EXPECT_TRUE(make_plan(selection).empty());
  selection = everything(SubjectKind::plugin);
  selection.rules = "python.*";
  EXPECT_TRUE(plan_is_empty(selection));
}

TEST(Shards, AreDisjointCompleteAndInPlanOrder) {
  const std::vector<std::string> whole = ids(make_plan(everything()));
  for (const std::uint32_t count : {1u, 2u, 7u}) {
    std::multiset<std::string> together;
    for (std::uint32_t index = 1; index <= count; ++index) {
      Selection selection = everything();
      selection.shard = index;
      selection.shards = count;
      const std::vector<std::string> part = ids(make_plan(selection));
      EXPECT_FALSE(part.empty());
      auto position = whole.begin();
      for (const std::string& id : part) {
        position = std::find(position, whole.end(), id);
        ASSERT_NE(position, whole.end()) << id;
        EXPECT_EQ(shard_of(id, count), index);
      }
      together.insert(part.begin(), part.end());
    }
    EXPECT_EQ(together, std::multiset<std::string>(whole.begin(), whole.end()));
  }
}

TEST(Shards, AreNumberedByFnv1a) {
  // 64-bit FNV-1a of "a" is af63dc4c8601ec8c, of "foobar" 85944171f73967e8.
  EXPECT_EQ(shard_of("a", 1000), 0xaf63dc4c8601ec8cu % 1000 + 1);
  EXPECT_EQ(shard_of("foobar", 1000), 0x85944171f73967e8u % 1000 + 1);
}

}  // namespace
}  // namespace dlspec::conformance
