// Bridges that offer less than dlspec asks for: what is left out is unsupported, not violated.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/selfcheck/zoo/bridge_outcomes.h>
#include <dlspec/conformance/worker/native/builtin_bridge.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

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
  unsupported.insert("tensor.byte-offset-honoured");
  unsupported.insert("flags.padded-checked");
  unsupported.insert("bridge.rearrange-dst-injective");  // one of its cases: a destination that may not be written to
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), with_reexports(unsupported)) << list(outcomes, Kind::unsupported);
  EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{});
  EXPECT_EQ(outcomes.at("bridge.size_t-range in bridge/int8/c/sizes").observed, "DLPack tensors are not made");
  bridge.to_dlpack = builtin_bridge.to_dlpack;
  outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported),
            with_reexports({"bridge.rearrange-dst-injective", "tensor.byte-offset-honoured", "flags.padded-checked"}));
  for (const char* rule : converting) EXPECT_TRUE(rules_with(outcomes, Kind::pass).contains(rule)) << rule;
}

int refuse_to_describe(const DlspecDescription*, void**, DlspecRefusal*) { return DLSPEC_UNSUPPORTED; }
int refuse_to_copy(const void*, void*, const void*, const void*, DlspecRefusal*) { return DLSPEC_UNSUPPORTED; }

TEST(Bridges, ThatRefuseEverythingBreakNothing) {
  DlspecBridge bridge = builtin_bridge;
  bridge.rearrange = refuse_to_copy;
  const auto copies = judge_all(bridge);
  EXPECT_EQ(rules_with(copies, Kind::violated), Names{}) << list(copies, Kind::violated);
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
    EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{}) << list(outcomes, Kind::violated);
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
  EXPECT_EQ(list(outcomes, Kind::violated), "");
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
  EXPECT_EQ(list(outcomes, Kind::violated), "");
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), (Names{"bridge.status-documented", "bridge.status-order"}));
  bridge.describe =
      describe_with_status<static_cast<int>(InfiniStatus::bad_param)>;  // one for everything: there is no order
  outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::unsupported), Names{"bridge.status-order"});
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

// A legacy or versioned struct by its tensor.
const abi::Tensor& tensor_of(const void* exported, int generation) {
  return generation == DLSPEC_VERSIONED ? static_cast<const abi::v1::ManagedTensor*>(exported)->dl_tensor
                                        : static_cast<const abi::v0::ManagedTensor*>(exported)->dl_tensor;
}

TEST(Bridges, ThatLeaveTheOffsetOfScalarsOutAreFound) {
  DlspecBridge bridge = builtin_bridge;
  bridge.from_dlpack = [](const void* exported, int generation, int writable, void** descriptor, void** data,
                          DlspecRefusal* refusal) {
    const int code = builtin_bridge.from_dlpack(exported, generation, writable, descriptor, data, refusal);
    const abi::Tensor& tensor = tensor_of(exported, generation);
    if (code == DLSPEC_OK && tensor.ndim == 0) *data = tensor.data;
    return code;
  };
  const auto outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{"bridge.scalar-null-shape"}) << list(outcomes, Kind::violated);
}

TEST(Bridges, ThatTakeReadOnlyBesideAnotherFlagAsADestinationAreFound) {
  DlspecBridge bridge = builtin_bridge;
  bridge.from_dlpack = [](const void* exported, int generation, int writable, void** descriptor, void** data,
                          DlspecRefusal* refusal) {
    const bool is_marked = generation == DLSPEC_VERSIONED &&
                           static_cast<const abi::v1::ManagedTensor*>(exported)->flags == flags::read_only;
    return builtin_bridge.from_dlpack(exported, generation, is_marked ? writable : 0, descriptor, data, refusal);
  };
  const auto outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{"bridge.rearrange-dst-injective"})
      << list(outcomes, Kind::violated);
}

// The shape of a legacy tensor is the descriptor's, which its end overwrites.
std::int64_t shape_of_descriptor[64];

TEST(Bridges, WhoseLegacyTensorsPointIntoTheDescriptorAreFound) {
  DlspecBridge bridge = builtin_bridge;
  bridge.to_dlpack = [](const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
    const int code = builtin_bridge.to_dlpack(descriptor, data, generation, exported, refusal);
    if (code != DLSPEC_OK || generation != DLSPEC_LEGACY) return code;
    abi::Tensor& tensor = static_cast<abi::v0::ManagedTensor*>(*exported)->dl_tensor;
    std::copy(tensor.shape, tensor.shape + tensor.ndim, shape_of_descriptor);
    tensor.shape = shape_of_descriptor;
    return code;
  };
  bridge.destroy = [](void* descriptor) {
    std::fill(std::begin(shape_of_descriptor), std::end(shape_of_descriptor), 77);
    builtin_bridge.destroy(descriptor);
  };
  const auto outcomes = judge_all(bridge);
  EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{"tensor.metadata-lifetime"}) << list(outcomes, Kind::violated);
}

TEST(Bridges, ThatNeedAlignedElementsOf16BytesAreFound) {
  DlspecBridge bridge = builtin_bridge;
  bridge.rearrange = [](const void* to, void* to_data, const void* from, const void* from_data,
                        DlspecRefusal* refusal) {
    const int code = builtin_bridge.rearrange(to, to_data, from, from_data, refusal);
    const auto off = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 8; };
    if (code == DLSPEC_OK && off(to_data) && off(from_data)) ++*static_cast<unsigned char*>(to_data);
    return code;
  };
  EXPECT_TRUE(rules_with(judge_all(bridge), Kind::violated).contains("bridge.rearrange-src-any"));
}

}  // namespace
}  // namespace dlspec::conformance
