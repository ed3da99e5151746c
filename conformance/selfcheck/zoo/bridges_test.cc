// The bridges of the zoo in process: each breaks the rule that it is declared for and no other, and what a library
// does not offer is unsupported, not broken.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/worker/native/builtin_bridge.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/infini.h>

#include "plugin/subjects.h"

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;
using Names = std::set<std::string>;

DlspecPlugin plugin_of(const DlspecBridge& bridge) {
  return {DLSPEC_PLUGIN_VERSION, sizeof(DlspecPlugin), "a bridge", "1", nullptr, nullptr, nullptr, nullptr, &bridge};
}

// What came of each rule in each case: "bridge.size_t-range in bridge/int8/c/sizes".
std::map<std::string, Outcome> judge_all(const DlspecBridge& bridge) {
  const DlspecPlugin plugin = plugin_of(bridge);
  std::map<std::string, Outcome> outcomes;
  for (const Case& work : sample_plan(SubjectKind::plugin, Role::bridge)) {
    const Answer reply = answer_case(plugin, work);
    EXPECT_EQ(reply.outcomes.size(), work.rules.size()) << work.id;
    for (const auto& [id, outcome] : reply.outcomes)
      outcomes.emplace(std::string(rule(id).id) + " in " + work.id, outcome);
  }
  return outcomes;
}

Names rules_with(const std::map<std::string, Outcome>& outcomes, Kind kind) {
  Names names;
  for (const auto& [name, outcome] : outcomes) {
    if (outcome.kind == kind) names.insert(name.substr(0, name.find(' ')));
  }
  return names;
}

std::string list(const std::map<std::string, Outcome>& outcomes, Kind kind) {
  std::string text;
  for (const auto& [name, outcome] : outcomes) {
    if (outcome.kind == kind) text += name + ": " + outcome.observed + "\n";
  }
  return text;
}

TEST(Bridges, EachBreaksItsRuleAlone) {
  for (const ExhibitRow& row : exhibits()) {
    if (row.role != Role::bridge) continue;
    const DlspecBridge* const bridge =
        zoo::find_bridge(std::string_view(row.name).substr(std::string_view("plugin:").size()));
    ASSERT_NE(bridge, nullptr) << row.name;
    const auto outcomes = judge_all(*bridge);
    EXPECT_EQ(rules_with(outcomes, Kind::broken), Names{rule(row.rule).id}) << row.name << "\n"
                                                                            << list(outcomes, Kind::broken);
  }
}

TEST(Bridges, OfDlspecItselfPassEverything) {
  for (const DlspecBridge* const bridge : {&builtin_bridge, zoo::find_bridge("clean")}) {
    for (const auto& [name, outcome] : judge_all(*bridge))
      EXPECT_EQ(outcome.kind, Kind::pass) << name << ": " << outcome.observed;
  }
}

TEST(Bridges, ThatMisreadEverythingAreNotBlamedForItTwice) {
  const auto outcomes = judge_all(*zoo::find_bridge("everything misread"));
  EXPECT_EQ(rules_with(outcomes, Kind::blocked),
            (Names{"bridge.rearrange-src-any", "bridge.rearrange-dst-injective", "bridge.rearrange-no-fp-ops",
                   "bridge.rearrange-untouched-gaps"}))
      << list(outcomes, Kind::blocked);
  EXPECT_EQ(outcomes.at("bridge.rearrange-src-any in bridge/float32/c/source").kind, Kind::broken);
  EXPECT_EQ(outcomes.at("bridge.rearrange-src-any in bridge/float32/negative/source").kind, Kind::blocked);
}

// Values that are wrong fail; what is merely taken or left out is what the level of a convention says.
TEST(Bridges, FailWhereValuesAreWrong) {
  const auto verdict = [](const char* name, const std::string& where) {
    return judge_all(*zoo::find_bridge(name)).at(where).verdict;
  };
  EXPECT_EQ(verdict("mirrors misread", "bridge.rearrange-src-any in bridge/float32/negative/source"), Verdict::fail);
  EXPECT_EQ(verdict("broadcast sources refused", "bridge.rearrange-src-any in bridge/float32/broadcast/source"),
            std::nullopt);
  EXPECT_EQ(verdict("empty sources refused", "bridge.rearrange-src-any in bridge/float32/empty/source"), std::nullopt);
  EXPECT_EQ(verdict("strides left out", "bridge.strides-null-expanded in bridge/float32/c/strides-null"), std::nullopt);
  EXPECT_EQ(verdict("column-major strides", "bridge.strides-null-expanded in bridge/float32/c/strides-null"),
            Verdict::fail);
  EXPECT_EQ(
      verdict("read-only forgotten", "bridge.rearrange-dst-injective in bridge/float32/readonly/read-only-destination"),
      Verdict::fail);
  EXPECT_EQ(
      verdict("overlap allowed", "bridge.rearrange-dst-injective in bridge/float32/broadcast/overlapping-destination"),
      std::nullopt);
}

TEST(Bridges, NameWhatIsWrong) {
  const auto observed = [](const char* name, const std::string& where) {
    return judge_all(*zoo::find_bridge(name)).at(where).observed;
  };
  EXPECT_EQ(observed("strides left out", "bridge.strides-null-expanded in bridge/float32/c/strides-null"),
            "strides are NULL");
  EXPECT_EQ(observed("column-major strides", "bridge.strides-null-expanded in bridge/float32/c/strides-null"),
            "exported as float32 (3,4):(1,3)");
  EXPECT_EQ(observed("extents wrapped", "bridge.size_t-range in bridge/int8/c/sizes"),
            "extents (9223372036854775808) and strides (0) are exported as int8 (0):(0)");
  EXPECT_EQ(observed("negative extents taken", "bridge.size_t-range in bridge/int8/c/sizes"),
            "a tensor with the extent -1 is taken");
  EXPECT_EQ(observed("lowest address out", "bridge.negative-stride-base in bridge/float32/negative1/negative-base"),
            "exported data begin -16 bytes from element (0, ..., 0)");
  EXPECT_EQ(observed("lanes folded", "bridge.unsupported-dtype in bridge/float32/c/unsupported-dtypes"),
            "a descriptor is made of float32 of 4 lanes, int8 of 2 lanes");
  EXPECT_EQ(observed("padded elements taken", "bridge.unsupported-dtype in bridge/float32/c/unsupported-dtypes"),
            "a descriptor is made of padded int4");
  EXPECT_EQ(observed("other dtypes taken", "bridge.status-documented in bridge/float32/c/statuses"),
            "a source of another dtype: SUCCESS instead of BAD_TENSOR_DTYPE");
  EXPECT_EQ(observed("one status for all", "bridge.status-documented in bridge/float32/c/statuses"),
            "a NULL shape although there are axes: BAD_PARAM instead of NULL_POINTER; a dtype without a counterpart: "
            "BAD_PARAM "
            "instead of BAD_TENSOR_DTYPE; more elements than 64 bits count: BAD_PARAM instead of BAD_TENSOR_SHAPE; "
            "strides that "
            "leave 64 bits: BAD_PARAM instead of BAD_TENSOR_STRIDES");
  EXPECT_EQ(observed("dtype judged first", "bridge.status-order in bridge/float32/c/status-order"),
            "a NULL shape although there are axes and a dtype without a counterpart: BAD_TENSOR_DTYPE instead of "
            "NULL_POINTER");
}

// --- libraries that offer less

constexpr const char* converting[] = {"bridge.scalar-null-shape", "bridge.size_t-range", "bridge.negative-stride-base"};

// What needs imports and exports, with these.
Names with_reexports(Names names) {
  names.insert({"dtype.truthful", "tensor.shape-truthful", "tensor.strides-not-null", "tensor.element-address",
                "tensor.metadata-lifetime"});
  return names;
}

TEST(Bridges, WithoutConversionsAreNotJudgedOfThem) {
  DlspecBridge bridge = builtin_bridge;
  bridge.to_dlpack = nullptr;
  auto outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), with_reexports({"bridge.strides-null-expanded"}));
  for (const char* rule : converting) EXPECT_TRUE(rules_with(outcomes, Kind::pass).contains(rule)) << rule;
  bridge.from_dlpack = nullptr;
  outcomes = judge_all(bridge);
  Names unsupported(std::begin(converting), std::end(converting));
  unsupported.insert("bridge.strides-null-expanded");
  unsupported.insert("bridge.rearrange-dst-injective");  // one of its cases: a destination that may not be written to
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), with_reexports(unsupported)) << list(outcomes, Kind::unsupported);
  EXPECT_EQ(rules_with(outcomes, Kind::broken), Names{});
  EXPECT_EQ(outcomes.at("bridge.size_t-range in bridge/int8/c/sizes").observed, "DLPack tensors are not made");
  bridge.to_dlpack = builtin_bridge.to_dlpack;
  outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), with_reexports({"bridge.rearrange-dst-injective"}));
  for (const char* rule : converting) EXPECT_TRUE(rules_with(outcomes, Kind::pass).contains(rule)) << rule;
}

int refuse_to_describe(const DlspecDescription*, void**, DlspecRefusal*) { return DLSPEC_UNSUPPORTED; }
int refuse_to_copy(const void*, void*, const void*, const void*, DlspecRefusal*) { return DLSPEC_UNSUPPORTED; }

TEST(Bridges, ThatRefuseEverythingBreakNothing) {
  DlspecBridge bridge = builtin_bridge;
  bridge.rearrange = refuse_to_copy;
  const auto copies = judge_all(bridge);
  EXPECT_EQ(rules_with(copies, Kind::broken), Names{}) << list(copies, Kind::broken);
  EXPECT_EQ(rules_with(copies, Kind::unsupported),
            (Names{"bridge.rearrange-src-any", "bridge.rearrange-dst-injective", "bridge.rearrange-no-fp-ops",
                   "bridge.rearrange-untouched-gaps"}));
  EXPECT_EQ(copies.at("bridge.rearrange-src-any in bridge/float32/empty/source").observed, "no reason given");
  bridge.describe = refuse_to_describe;
  bridge.from_dlpack = nullptr;
  for (const auto& [name, outcome] : judge_all(bridge))
    EXPECT_EQ(outcome.kind, Kind::unsupported) << name << ": " << outcome.observed;
}

template <int old_generation>
int export_old(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
  if (generation != old_generation) return DLSPEC_UNSUPPORTED;
  const int code = builtin_bridge.to_dlpack(descriptor, data, generation, exported, refusal);
  if (code != DLSPEC_OK) return code;
  auto* const versioned = static_cast<abi::v1::ManagedTensor*>(*exported);
  abi::Tensor& tensor = old_generation == DLSPEC_VERSIONED ? versioned->dl_tensor
                                                           : static_cast<abi::v0::ManagedTensor*>(*exported)->dl_tensor;
  if (tensor.ndim != 0 && tensor.strides[tensor.ndim - 1] == 1) tensor.strides = nullptr;
  if (old_generation == DLSPEC_VERSIONED) versioned->version = {1, 1};
  return code;
}

TEST(Bridges, MayLeaveStridesOutOfOlderStructs) {
  for (const auto function : {export_old<DLSPEC_LEGACY>, export_old<DLSPEC_VERSIONED>}) {
    DlspecBridge bridge = builtin_bridge;
    bridge.to_dlpack = function;
    const auto outcomes = judge_all(bridge);
    Names not_applicable = rules_with(outcomes, Kind::not_applicable);
    not_applicable.erase("tensor.strides-not-null");  // which only versioned structs can break
    EXPECT_EQ(not_applicable, Names{"bridge.strides-null-expanded"});
    EXPECT_EQ(rules_with(outcomes, Kind::broken), Names{}) << list(outcomes, Kind::broken);
  }
}

int import_legacy(const void* exported, int generation, int writable, void** descriptor, void** data,
                  DlspecRefusal* refusal) {
  if (generation != DLSPEC_LEGACY) return DLSPEC_UNSUPPORTED;
  return builtin_bridge.from_dlpack(exported, generation, writable, descriptor, data, refusal);
}

TEST(Bridges, ThatTakeLegacyStructsAreAskedByThose) {
  DlspecBridge bridge = builtin_bridge;
  bridge.from_dlpack = import_legacy;
  auto outcomes = judge_all(bridge);
  EXPECT_EQ(list(outcomes, Kind::broken), "");
  const std::string read_only = "bridge.rearrange-dst-injective in bridge/float32/readonly/read-only-destination";
  EXPECT_EQ(outcomes.at(read_only).kind, Kind::unsupported);  // nothing marks a legacy struct
  EXPECT_EQ(list(outcomes, Kind::unsupported), read_only + ": no reason given\n");
}

template <int status>
int describe_with_status(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  const int code = builtin_bridge.describe(description, descriptor, refusal);
  refusal->status = status;
  return code;
}
int copy_without_status(const void* to, void* to_data, const void* from, const void* from_data,
                        DlspecRefusal* refusal) {
  EXPECT_FALSE(to_data == nullptr && from_data != nullptr) << "NULL is asked of a library without statuses";
  const int code = builtin_bridge.rearrange(to, to_data, from, from_data, refusal);
  refusal->status = -1;
  return code;
}

TEST(Bridges, WithoutStatusesAreNotJudgedByThem) {
  DlspecBridge bridge = builtin_bridge;
  bridge.describe = describe_with_status<-1>;
  auto outcomes = judge_all(bridge);
  EXPECT_EQ(list(outcomes, Kind::unsupported), "") << "copies have statuses";
  bridge.rearrange = copy_without_status;
  outcomes = judge_all(bridge);
  EXPECT_EQ(list(outcomes, Kind::broken), "");
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), (Names{"bridge.status-documented", "bridge.status-order"}));
  bridge.describe =
      describe_with_status<static_cast<int>(InfiniStatus::bad_param)>;  // one for everything: there is no order
  outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), Names{"bridge.status-order"});
}

// --- exports of other kinds

// A bridge whose versioned exports are altered by a function.
template <void (*alter)(abi::v1::ManagedTensor& managed)>
DlspecBridge exporting() {
  DlspecBridge bridge = builtin_bridge;
  bridge.to_dlpack = [](const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
    const int code = builtin_bridge.to_dlpack(descriptor, data, generation, exported, refusal);
    if (code == DLSPEC_OK && generation == DLSPEC_VERSIONED) alter(*static_cast<abi::v1::ManagedTensor*>(*exported));
    return code;
  };
  return bridge;
}

void lose_shape(abi::v1::ManagedTensor& managed) { managed.dl_tensor.shape = nullptr; }
void claim_axes(abi::v1::ManagedTensor& managed) { managed.dl_tensor.ndim = 1 << 30; }

TEST(Bridges, AreNotFollowedWhereTheyLeadNowhere) {
  const std::string matrix = "bridge.strides-null-expanded in bridge/float32/c/strides-null";
  EXPECT_EQ(judge_all(exporting<lose_shape>()).at(matrix).observed, "exported as float32 ():()");
  EXPECT_EQ(judge_all(exporting<claim_axes>()).at(matrix).observed, "exported as float32 ():()");
}

void leave_strides_out(abi::v1::ManagedTensor& managed) {
  managed.version = {1, 2};
  managed.dl_tensor.strides = nullptr;
}

TEST(Bridges, MayNotLeaveStridesOutFromTheVersionOn) {
  const std::string matrix = "bridge.strides-null-expanded in bridge/float32/c/strides-null";
  EXPECT_EQ(judge_all(exporting<leave_strides_out>()).at(matrix).observed, "strides are NULL");
}

int write_then_refuse(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = builtin_bridge.rearrange(to, to_data, from, from_data, refusal);
  return to_data != nullptr ? DLSPEC_UNSUPPORTED : code;
}

TEST(Bridges, MayNotWriteWhatTheyRefuse) {
  DlspecBridge bridge = builtin_bridge;
  bridge.rearrange = write_then_refuse;
  const auto outcomes = judge_all(bridge);
  for (const char* name : {"bridge.rearrange-src-any in bridge/float32/c/source",
                           "bridge.rearrange-untouched-gaps in bridge/float32/strided/gaps"}) {
    EXPECT_EQ(outcomes.at(name).observed, "refused, and the destination was written to") << name;
  }
}

void move_idle_strides(abi::v1::ManagedTensor& managed) {
  const abi::Tensor& tensor = managed.dl_tensor;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 1) tensor.strides[axis] = 12345;
  }
}

TEST(Bridges, MayGiveAxesOfOneElementAnyStride) {
  EXPECT_EQ(list(judge_all(exporting<move_idle_strides>()), Kind::broken), "");
}

int made, released;
void (*own_deleter)(abi::v1::ManagedTensor*);

void count_releases(abi::v1::ManagedTensor& managed) {
  ++made;
  own_deleter = managed.deleter;
  managed.deleter = [](abi::v1::ManagedTensor* self) {
    ++released;
    own_deleter(self);
  };
}
void need_no_release(abi::v1::ManagedTensor& managed) {
  static std::vector<abi::v1::ManagedTensor*> kept;  // so that a leak checker finds them
  kept.push_back(&managed);
  managed.deleter = nullptr;
}

TEST(Bridges, ReleaseWhatTheyExport) {
  made = released = 0;
  EXPECT_EQ(list(judge_all(exporting<count_releases>()), Kind::broken), "");
  EXPECT_GT(made, 10);
  EXPECT_EQ(released, made);
  EXPECT_EQ(list(judge_all(exporting<need_no_release>()), Kind::broken), "");
}

// A library that casts: 2^63 becomes -2^63.
int describe_cast(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  static constexpr std::size_t stand_in = 7;
  DlspecDescription altered = *description;
  if (altered.ndim == 1 && altered.shape[0] == std::size_t{1} << 63) altered.shape = &stand_in;
  return builtin_bridge.describe(&altered, descriptor, refusal);
}
void cast_back(abi::v1::ManagedTensor& managed) {
  if (managed.dl_tensor.ndim == 1 && managed.dl_tensor.shape[0] == 7) managed.dl_tensor.shape[0] = INT64_MIN;
}

TEST(Bridges, ThatCastExtentsAreFound) {
  DlspecBridge bridge = exporting<cast_back>();
  bridge.describe = describe_cast;
  EXPECT_EQ(judge_all(bridge).at("bridge.size_t-range in bridge/int8/c/sizes").observed,
            "extents (9223372036854775808) and strides (0) are exported as int8 (-9223372036854775808):(0)");
}

int forget_one_status(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  const int code = builtin_bridge.describe(description, descriptor, refusal);
  if (refusal->status == static_cast<int>(InfiniStatus::bad_tensor_dtype)) refusal->status = -1;
  return code;
}

TEST(Bridges, AreJudgedByTheStatusesThatTheyHave) {
  DlspecBridge bridge = builtin_bridge;
  bridge.describe = forget_one_status;
  for (const auto& [name, outcome] : judge_all(bridge))
    EXPECT_EQ(outcome.kind, Kind::pass) << name << ": " << outcome.observed;
}

}  // namespace
}  // namespace dlspec::conformance
