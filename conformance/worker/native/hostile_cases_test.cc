// Plug-ins that take, keep, show and leak what no producer may make, and what the native worker says of each.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/hostile_structs.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/mitigations.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

std::vector<Case> plan_of(const std::string& cases) {
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.cases = cases;
  return make_plan(selection);
}

// What the case says of its primary rule.
Outcome primary_of(const DlspecPlugin& plugin, const Case& work) {
  const Answer reply = answer_case(plugin, work);
  const auto found = reply.outcomes.find(work.primary);
  return found != reply.outcomes.end() ? found->second : Outcome{Kind::skipped, "left out", {}, {}};
}

Outcome outcome_of(const DlspecPlugin& plugin, const std::string& id, RuleId rule) {
  const std::vector<Case> plan = plan_of(id);
  EXPECT_EQ(plan.size(), 1U) << id;
  return plan.empty() ? Outcome{} : answer_case(plugin, plan.front()).outcomes.at(rule);
}

// --- a consumer that takes everything, and shows what dlspec shows of it

struct Kept {
  void* managed;
  int generation;
};

int take_anything(void* managed, int generation, void** array, const char**) {
  *array = new Kept{managed, generation};
  return DLSPEC_OK;
}
void give_up(void* array) {
  auto* const kept = static_cast<Kept*>(array);
  call_deleter(exported_struct(kept->managed, kept->generation));
  delete kept;
}

// DLSPEC_OK where dlspec itself takes the tensor and shows it.
int show_as_dlspec(const Kept& kept, void* bytes, std::size_t byte_count) {
  void* array = nullptr;
  const char* reason = nullptr;
  abi::v1::ManagedTensor lent = *static_cast<abi::v1::ManagedTensor*>(kept.managed);
  lent.deleter = nullptr;
  if (builtin_plugin()->import_tensor(&lent, kept.generation, &array, &reason) != DLSPEC_OK) return DLSPEC_ERROR;
  const int status = builtin_plugin()->contents(array, bytes, byte_count);
  builtin_plugin()->release(array);
  return status;
}

int show_zeros(void* array, void* bytes, std::size_t byte_count) {
  if (show_as_dlspec(*static_cast<Kept*>(array), bytes, byte_count) == DLSPEC_OK) return DLSPEC_OK;
  std::memset(bytes, 0, byte_count);
  return DLSPEC_OK;
}
int show_what_dlspec_shows(void* array, void* bytes, std::size_t byte_count) {
  return show_as_dlspec(*static_cast<Kept*>(array), bytes, byte_count);
}

DlspecPlugin showing(decltype(DlspecPlugin::contents) contents) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = take_anything;
  plugin.contents = contents;
  plugin.release = give_up;
  return plugin;
}

std::vector<Case> hostile_plan() { return plan_of("consumer/*/hostile=*"); }

TEST(HostileCases, AreOnePerStruct) {
  EXPECT_EQ(hostile_plan().size(), hostile_structs().size());
  for (const HostileStruct& each : hostile_structs()) {
    EXPECT_EQ(plan_of(std::string("consumer/*/hostile=") + each.name).size(), 1U) << each.name;
  }
}

// The host's numbers mislead nobody: such a tensor may be taken for an ordinary one, elements and all.
bool is_taken_by_dlspec(const Case& work) { return work.variant.find("=device-id-7") != std::string::npos; }

TEST(HostileCases, ElementsThatAreNotThereAreAnUncheckedPromise) {
  const DlspecPlugin plugin = showing(show_zeros);
  for (const Case& work : hostile_plan()) {
    const Outcome outcome = primary_of(plugin, work);
    if (is_taken_by_dlspec(work)) {
      EXPECT_EQ(outcome.kind, Kind::pass) << work.id << outcome.observed;
      continue;
    }
    EXPECT_EQ(outcome.kind, Kind::violated) << work.id << outcome.observed;
    EXPECT_EQ(outcome.mitigation, find_mitigation("unchecked-promise")) << work.id << ": " << outcome.observed;
    EXPECT_TRUE(covers(*find_mitigation("unchecked-promise"), rule(work.primary))) << work.id;
  }
}

TEST(HostileCases, WhatIsTakenAndNotShownIsHostileUnread) {
  const DlspecPlugin plugin = showing(show_what_dlspec_shows);
  for (const Case& work : hostile_plan()) {
    const Outcome outcome = primary_of(plugin, work);
    if (is_taken_by_dlspec(work)) continue;
    EXPECT_EQ(outcome.mitigation, find_mitigation("hostile-unread")) << work.id << ": " << outcome.observed;
    EXPECT_TRUE(covers(*find_mitigation("hostile-unread"), rule(work.primary))) << work.id;
  }
}

int refuse_and_keep(void* managed, int generation, void** array, const char** reason) {
  float elements[12];
  const Kept kept{managed, generation};
  const bool ordinary = show_as_dlspec(kept, elements, sizeof elements) == DLSPEC_OK;
  return ordinary ? take_anything(managed, generation, array, reason) : DLSPEC_UNSUPPORTED;
}

TEST(HostileCases, ARefusalReleasesOnce) {
  DlspecPlugin plugin = showing(show_what_dlspec_shows);
  plugin.import_tensor = refuse_and_keep;
  for (const Case& work : hostile_plan()) {
    const Answer reply = answer_case(plugin, work);
    if (is_taken_by_dlspec(work)) continue;
    EXPECT_EQ(reply.outcomes.at(RuleId::managed_error_releases).kind, Kind::violated) << work.id;
    EXPECT_EQ(reply.outcomes.at(work.primary).kind, Kind::pass) << work.id << ": it was refused";
    EXPECT_EQ(reply.outcomes.at(RuleId::managed_deleter_once).kind, Kind::not_applicable) << work.id;
  }
}

TEST(HostileCases, AreNotAskedWhereAnOrdinaryTensorIsRefused) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = [](void* managed, int generation, void**, const char** reason) -> int {
    *reason = "nothing is good enough";
    call_deleter(exported_struct(managed, generation));
    return DLSPEC_UNSUPPORTED;
  };
  for (const Case& work : hostile_plan()) EXPECT_EQ(primary_of(plugin, work).kind, Kind::unsupported) << work.id;
}

TEST(HostileCases, WhoShowsOtherElementsOfEveryTensorIsJudgedElsewhere) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.contents = [](void*, void* bytes, std::size_t byte_count) -> int {
    std::memset(bytes, 0, byte_count);
    return DLSPEC_OK;
  };
  for (const Case& work : hostile_plan()) EXPECT_EQ(primary_of(plugin, work).kind, Kind::blocked) << work.id;
}

// --- values that nobody has defined

TEST(HostileCases, EachUnknownValueIsTried) {
  const DlspecPlugin plugin = showing(show_zeros);
  const auto observed = [&](const char* variant, RuleId rule) {
    const Outcome outcome = outcome_of(plugin, std::string("consumer/*/") + variant, rule);
    EXPECT_EQ(outcome.kind, Kind::violated) << variant;
    EXPECT_EQ(outcome.mitigation, nullptr) << variant;
    return outcome.observed;
  };
  EXPECT_NE(observed("unknown-dtypes", RuleId::version_unknown_values_rejected), "");
  EXPECT_NE(observed("unknown-devices", RuleId::version_unknown_values_rejected), "");
  EXPECT_EQ(outcome_of(plugin, "consumer/*/unknown-devices", RuleId::abi_device_type_32bit).kind, Kind::blocked)
      << "all 32 bits are read, and believed";
  for (const auto& [variant, rule] :
       {std::pair("odd-widths", RuleId::dtype_odd_width_refused), std::pair("handles", RuleId::dtype_opaque_refused),
        std::pair("float-width", RuleId::dtype_fp6_fp4_consumer_stops)}) {
    EXPECT_EQ(outcome_of(plugin, std::string("consumer/*/") + variant, rule).kind, Kind::blocked) << variant;
  }
}

// PADDED tells how narrow elements lie, and permits no other width.
int import_of_padded_widths(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED) {
    auto& managed = *static_cast<abi::v1::ManagedTensor*>(exported);
    abi::DataType& dtype = managed.dl_tensor.dtype;
    if (dtype.code == kDLFloat4_e2m1fn && (managed.flags & flags::subbyte_padded) != 0) dtype = {kDLUInt, 8, 1};
  }
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

TEST(HostileCases, AWidthThatPaddedIsTakenToPermitIsFound) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_of_padded_widths;
  EXPECT_EQ(outcome_of(plugin, "consumer/*/float-width", RuleId::dtype_fp6_fp4_consumer_stops).kind, Kind::violated);
}

// Only the float of six bits, and nothing of it is shown.
TEST(HostileCases, AnImportThatMustStopDoes) {
  DlspecPlugin plugin = showing(show_what_dlspec_shows);
  EXPECT_EQ(outcome_of(plugin, "consumer/*/float-width", RuleId::dtype_fp6_fp4_consumer_stops).kind, Kind::violated);
  EXPECT_EQ(outcome_of(plugin, "consumer/*/odd-widths", RuleId::dtype_odd_width_refused).kind, Kind::pass);
  EXPECT_EQ(outcome_of(plugin, "consumer/*/unknown-dtypes", RuleId::version_unknown_values_rejected).mitigation,
            find_mitigation("held-unread"));
}

}  // namespace
}  // namespace dlspec::conformance
