#include <dlspec/conformance/plan/plan.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/drawn.h>
#include <dlspec/conformance/plan/lone.h>
#include <dlspec/conformance/plan/path_sides.h>
#include <dlspec/conformance/plan/paths.h>

namespace dlspec::conformance {
namespace {

constexpr SubjectKind kinds[] = {SubjectKind::builtin, SubjectKind::python, SubjectKind::plugin};

Selection everything(SubjectKind kind = SubjectKind::python) {
  Selection selection;
  selection.kind = kind;
  return selection;
}

// What each kind of subject is asked on the host, and what --device adds.
std::vector<Selection> all_plans() {
  std::vector<Selection> all;
  for (const SubjectKind kind : kinds) all.push_back(everything(kind));
  for (const SubjectKind kind : kinds) all.push_back(everywhere(everything(kind)).back());
  return all;
}

std::vector<std::string> ids(const std::vector<Case>& plan) {
  std::vector<std::string> found;
  for (const Case& work : plan) found.push_back(work.id);
  return found;
}

TEST(Plan, IsTheSameEveryTime) {
  const std::vector<Case> first = make_plan(everything());
  const std::vector<Case> second = make_plan(everything());
  ASSERT_EQ(ids(first), ids(second));
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].order.bytes, second[i].order.bytes) << first[i].id;
    EXPECT_EQ(first[i].rules, second[i].rules) << first[i].id;
  }
}

TEST(Plan, CasesAreWhatTheirIdsSay) {
  for (const Selection& selection : all_plans()) {
    std::set<std::string> seen;
    for (const Case& work : make_plan(selection)) {
      EXPECT_TRUE(seen.insert(work.id).second) << work.id << " occurs twice";
      EXPECT_EQ(work.id, std::string(role_name(work.role)) + "/" + work.dtype + "/" + work.layout + "/" + work.variant);
      EXPECT_EQ(work.id.find_first_of("*?\\ \t'\"$"), std::string::npos) << work.id;
      ASSERT_TRUE(order_of(work.id).has_value()) << work.id;
      EXPECT_EQ(order_text(*order_of(work.id)), order_text(work.order));
    }
  }
}

TEST(Plan, EveryCaseDecidesItsPrimaryRule) {
  for (const Selection& selection : all_plans()) {
    for (const Case& work : make_plan(selection)) {
      EXPECT_TRUE(std::is_sorted(work.rules.begin(), work.rules.end())) << work.id;
      EXPECT_EQ(std::count(work.rules.begin(), work.rules.end(), work.primary), 1) << work.id;
      EXPECT_EQ(std::adjacent_find(work.rules.begin(), work.rules.end()), work.rules.end()) << work.id;
    }
  }
}

TEST(Plan, KeepsThePrimaryRuleOfTheTable) {
  std::map<std::pair<Role, std::string>, std::set<RuleId>> primaries;
  for (const Variant& variant : variants()) {
    std::set<RuleId>& known = primaries[{variant.role, variant.name}];
    known.insert(variant.primary);
    if (!variant.layout_rules) continue;
    for (const char* layout : variant.layouts) {
      const auto& tried = find_layout(layout)->consumer_rules;
      known.insert(tried.begin(), tried.end());
    }
  }
  const auto know = [&](const PathRow& row) {
    std::set<RuleId>& known = primaries[{row.role, row.variant}];
    known.insert(path_variant(row).primary);
    const auto& tried = find_layout(row.layout)->consumer_rules;
    if (path_variant(row).layout_rules) known.insert(tried.begin(), tried.end());
  };
  for (const PathRow& row : path_rows()) know(row);
  for (const PathSide side : path_sides) {
    for (const PathRow& row : drawn_rows(side.native, side.role, false)) know(row);
    for (const PathRow& row : lone_rows(side.native, side.role)) know(row);
  }
  for (const SubjectKind kind : kinds) {
    for (const Case& work : make_plan(everything(kind))) {
      EXPECT_TRUE(primaries[std::pair(work.role, work.variant)].contains(work.primary))
          << work.id << ": its kind of subject dropped the primary rule";
    }
  }
}

TEST(Plan, ADeathInALayoutThatTriesOneThingIsRecordedThere) {
  std::map<std::string, RuleId> found;
  for (const Case& work : make_plan(everything(SubjectKind::python))) {
    if (work.variant == "versioned" && work.dtype == "float32") found[work.layout] = work.primary;
  }
  EXPECT_EQ(found["c"], RuleId::tensor_element_address);
  EXPECT_EQ(found["strided"], RuleId::tensor_element_address);
  EXPECT_EQ(found["negative"], RuleId::tensor_strides_negative_ok);
  EXPECT_EQ(found["offset"], RuleId::tensor_byte_offset_honoured);
}

TEST(Plan, HasTheCasesOfSeveralPatternsInItsOwnOrder) {
  Selection selection;
  selection.kind = SubjectKind::plugin;
  const auto ids = [&](std::string cases) {
    selection.cases = std::move(cases);
    std::vector<std::string> found;
    std::ranges::transform(make_plan(selection), std::back_inserter(found), &Case::id);
    return found;
  };
  const std::vector<std::string> both{"producer/float32/c/versioned", "producer/float32/scalar/versioned"};
  EXPECT_EQ(ids(both[1] + " " + both[0]), both);
  const std::string drawn = "producer/float32/c/path:max_version=absent+before=export-alive+after=other+release=thread";
  EXPECT_EQ(ids(both[0] + " " + drawn).back(), drawn) << "of a thorough run";
}

TEST(Plan, PlainCasesComeFirst) {
  const std::vector<Case> plan = make_plan(everything());
  EXPECT_TRUE(std::is_partitioned(plan.begin(), plan.end(), [](const Case& work) { return work.plain; }));
  EXPECT_TRUE(plan.front().plain);
  EXPECT_FALSE(plan.back().plain);
}

TEST(Plan, ASmokeTestIsTheOrdinaryExchangesOfAllRolesAndNothingElse) {
  for (const auto& [kind, role_count] : {std::pair(SubjectKind::python, 2u), std::pair(SubjectKind::plugin, 3u)}) {
    Selection selection;
    selection.kind = kind;
    const std::size_t all = make_plan(selection).size();
    selection.smoke = true;
    const std::vector<Case> smoke = make_plan(selection);
    EXPECT_LT(smoke.size(), all);
    std::set<Role> roles;
    for (const Case& work : smoke) {
      roles.insert(work.role);
      EXPECT_TRUE(work.plain) << work.id;
      const RuleId elements =
          work.role == Role::bridge ? RuleId::bridge_rearrange_src_any : RuleId::tensor_element_address;
      EXPECT_EQ(work.primary == elements || work.layout != "c", true) << work.id;
    }
    EXPECT_EQ(roles.size(), role_count);
  }
}

TEST(Plan, NativeSubjectsAreAskedNothingThatNeedsAnInterpreter) {
  for (const Case& work : make_plan(everything(SubjectKind::plugin))) {
    for (const RuleId id : work.rules) {
      const std::string_view group = rule_group(rule(id));
      EXPECT_TRUE(group != "capsule" && group != "python" && group != "stream") << work.id << " " << rule(id).id;
    }
  }
}

// Rules that bind the other side but that are observable only on this side.
const std::set<std::pair<Role, RuleId>> across = {
    {Role::producer, RuleId::tensor_ndim_cap_refused},     // dlspec is the consumer that reads the struct
    {Role::consumer, RuleId::tensor_strides_negative_ok},  // "honoured or refused" is the consumer's part
    {Role::consumer, RuleId::tensor_strides_zero_ok},
};

TEST(Plan, AsksEachSideOnlyForItsOwnRules) {
  std::set<std::pair<Role, RuleId>> asked;
  for (const Selection& selection : all_plans()) {
    for (const Case& work : make_plan(selection)) {
      if (work.role == Role::bridge) continue;  // both sides
      const Side other = work.role == Role::producer ? Side::consumer : Side::producer;
      for (const RuleId id : work.rules) {
        if (rule(id).side == other) asked.insert({work.role, id});
      }
    }
  }
  for (const auto& [role, id] : asked) {
    EXPECT_TRUE(across.contains({role, id})) << role_name(role) << " is asked for " << rule(id).id;
  }
  EXPECT_EQ(asked.size(), across.size()) << "an exception that is none any more";
}

// Checked rules that no case decides, with the reason.
const std::map<RuleId, const char*> decided_elsewhere = {};

TEST(Plan, ReachesEveryCheckedRule) {
  std::set<RuleId> reached;
  for (const Selection& selection : all_plans()) {
    for (const Case& work : make_plan(selection)) reached.insert(work.rules.begin(), work.rules.end());
  }
  for (const Rule& row : rules()) {
    const bool elsewhere = decided_elsewhere.contains(row.rule);
    if (row.coverage == Coverage::checked && !elsewhere) {
      EXPECT_TRUE(reached.contains(row.rule)) << row.id << " is checked, but no variant decides it";
    }
    EXPECT_FALSE(reached.contains(row.rule) && elsewhere) << row.id << " is decided by a variant after all";
    EXPECT_FALSE(reached.contains(row.rule) && row.coverage != Coverage::checked)
        << row.id << " is decided by a variant, but the table says that it is not checked";
  }
}

TEST(DevicePlan, LeavesTheHostsPlanAlone) {
  std::set<std::string> host;
  for (const Case& work : make_plan(everything())) {
    EXPECT_FALSE(needs_device(work.variant)) << work.id;
    EXPECT_EQ(work.order.device, (abi::Device{1, 0})) << work.id;
    host.insert(work.id);
  }
  Selection selection = everything();
  selection.device = abi::Device{2, 3};
  const std::vector<Case> plan = make_plan(selection);
  EXPECT_FALSE(plan.empty());
  for (const Case& work : plan) {
    EXPECT_TRUE(needs_device(work.variant)) << work.id;
    EXPECT_FALSE(host.contains(work.id)) << work.id;
    EXPECT_EQ(work.order.device, *selection.device) << work.id;
    EXPECT_FALSE(work.order.bytes.empty() && work.layout != "empty") << work.id;
  }
}

TEST(DevicePlan, AsksPlugInsWhatNeedsNoStream) {
  Selection selection = everything(SubjectKind::plugin);
  std::set<std::string> host;
  for (const Case& work : make_plan(selection)) host.insert(work.id);
  selection.device = abi::Device{2, 1};
  std::set<Role> roles;
  for (const Case& work : make_plan(selection)) {
    EXPECT_TRUE(needs_device(work.variant)) << work.id;
    EXPECT_FALSE(host.contains(work.id)) << work.id;
    EXPECT_EQ(work.order.device, *selection.device) << work.id;
    EXPECT_TRUE(std::none_of(work.rules.begin(), work.rules.end(), [](RuleId id) {
      return rule_group(rule(id)) == "stream";
    })) << work.id;
    roles.insert(work.role);
  }
  EXPECT_EQ(roles, (std::set<Role>{Role::producer, Role::consumer}));
}

TEST(DevicePlan, AsksItsOwnRules) {
  const std::vector<RuleId> host = asked_rules(SubjectKind::python, Role::producer);
  const std::vector<RuleId> device = asked_rules(SubjectKind::python, Role::producer, true);
  const auto has = [](const std::vector<RuleId>& rules, RuleId id) {
    return std::find(rules.begin(), rules.end(), id) != rules.end();
  };
  EXPECT_FALSE(has(host, RuleId::stream_data_ready));
  EXPECT_TRUE(has(device, RuleId::stream_data_ready));
  EXPECT_TRUE(has(host, RuleId::managed_deleter_any_thread));
  EXPECT_FALSE(has(device, RuleId::managed_deleter_any_thread));
}

TEST(Plan, ATenthOfThePathsHasSomethingOfAlmostEverything) {
  std::vector<Case> paths = make_plan({});
  std::erase_if(paths, [](const Case& work) { return !is_exchange_path(work.variant); });
  const auto seen = [](std::span<const Case> cases) {
    std::set<std::string> names;
    for (const Case& work : cases) {
      if (!work.drawn) {
        names.insert(std::string(role_name(work.role)) + "/" + std::string(work.layout));
        names.insert(std::string(role_name(work.role)) + "/" + work.order.dtype);
      }
      for (const std::string_view level : path_levels(work.variant)) names.emplace(level);
    }
    return names.size();
  };
  EXPECT_GE(seen(std::span(paths).first(paths.size() / 10)) * 10, seen(paths) * 9);
}

TEST(OrderOf, RefusesWhatIsNoCaseId) {
  for (const char* text : {"", "producer", "producer/float32/c", "nobody/float32/c/x", "producer/float32/nowhere/x"}) {
    EXPECT_FALSE(order_of(text).has_value()) << text;
  }
}

TEST(OrderText, IsTheTensorOnOneLine) {
  EXPECT_EQ(order_text(*order_of("producer/float32/negative/x")), "float32 (3,4):(-4,-1)+11 @cpu");
  EXPECT_EQ(order_text(*order_of("producer/int8/readonly/x")), "int8 (3,4) @cpu ro");
  EXPECT_EQ(order_text(*order_of("producer/int8/scalar/x")), "int8 () @cpu");
}

TEST(Layouts, HaveAStrideForEachExtent) {
  std::set<std::string> names;
  for (const LayoutRow& row : layouts()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (!row.strides) continue;
    EXPECT_EQ(row.strides->size(), row.shape.size()) << row.name;
  }
  EXPECT_EQ(names.size(), 53u);
}

}  // namespace
}  // namespace dlspec::conformance
