// dlspec's own plug-in with one function exchanged, and the rules that a plan finds violated: shared by the tests of
// this room.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {

using Managed = abi::v1::ManagedTensor;
using Names = std::set<std::string>;

inline bool is_deviation(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::violated && outcome.verdict != Verdict::info;
}

inline bool is_reported(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::violated || outcome.kind == Outcome::Kind::info;
}

inline std::vector<Case> plan_of(Role role, const std::string& cases) {
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.roles = {role};
  selection.cases = cases;
  return make_plan(selection);
}

// The rules with such an outcome in some case of the plan.
inline Names rules_with(bool (*is_meant)(const Outcome&), const DlspecPlugin& plugin, Role role,
                        const std::string& cases) {
  Names rules;
  for (const Case& work : plan_of(role, cases)) {
    for (const auto& [id, outcome] : answer_case(plugin, work).outcomes) {
      if (is_meant(outcome)) rules.insert(rule(id).id);
    }
  }
  return rules;
}

// The rules that some case of the plan found violated by more than a note.
inline Names violated_rules(const DlspecPlugin& plugin, Role role, const std::string& cases) {
  return rules_with(is_deviation, plugin, role, cases);
}

// The rules violated in one case, notes included.
inline Names violated_in(const DlspecPlugin& plugin, Role role, const std::string& id) {
  EXPECT_EQ(plan_of(role, id).size(), 1U) << id;
  return rules_with(is_reported, plugin, role, id);
}

using Alteration = void (*)(Managed&);
inline Alteration alteration;  // what the altered producer does to each versioned export

inline int make_altered(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED) alteration(*static_cast<Managed*>(*exported));
  return status;
}

inline DlspecPlugin producer(Alteration alter) {
  alteration = alter;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_altered;
  return plugin;
}

inline DlspecPlugin consumer(decltype(DlspecPlugin::import_tensor) import_tensor) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_tensor;
  return plugin;
}

// dlspec's own plug-in by this exchange table alone.
inline DlspecPlugin by_table(const abi::v1::ExchangeApi& api = builtin_exchange_api) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = nullptr;
  plugin.import_tensor = nullptr;
  plugin.contents = nullptr;
  plugin.bridge = nullptr;
  plugin.exchange_api = &api;
  return take_table(&plugin).table.value_or(DlspecPlugin{});
}

}  // namespace dlspec::conformance
