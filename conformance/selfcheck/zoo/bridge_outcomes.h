// What a bridge answers to the whole plan of bridges, in process: shared by the tests of this room.
#pragma once

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

using Names = std::set<std::string>;
// What came of each rule in each case: "bridge.size_t-range in bridge/int8/c/sizes".
using BridgeOutcomes = std::map<std::string, Outcome>;

inline BridgeOutcomes judge_all(const DlspecBridge& bridge) {
  DlspecPlugin plugin{};
  plugin.plugin_version = DLSPEC_PLUGIN_VERSION;
  plugin.table_size = sizeof(DlspecPlugin);
  plugin.name = "a bridge";
  plugin.version = "1";
  plugin.bridge = &bridge;
  BridgeOutcomes outcomes;
  for (const Case& work : sample_plan(SubjectKind::plugin, Role::bridge)) {
    const Answer reply = answer_case(plugin, work);
    EXPECT_EQ(reply.outcomes.size(), work.rules.size()) << work.id;
    for (const auto& [id, outcome] : reply.outcomes) {
      outcomes.emplace(std::string(rule(id).id) + " in " + work.id, outcome);
    }
  }
  return outcomes;
}

inline Names rules_with(const BridgeOutcomes& outcomes, Outcome::Kind kind) {
  Names names;
  for (const auto& [name, outcome] : outcomes) {
    if (outcome.kind == kind) names.insert(name.substr(0, name.find(' ')));
  }
  return names;
}

// Such outcomes with what was observed, a line each.
inline std::string list(const BridgeOutcomes& outcomes, Outcome::Kind kind) {
  std::string text;
  for (const auto& [name, outcome] : outcomes) {
    if (outcome.kind == kind) text += name + ": " + outcome.observed + "\n";
  }
  return text;
}

}  // namespace dlspec::conformance
