// The native worker's judgement: dlspec's own producer and consumer break nothing, and each faulty
// plug-in below breaks the rule that it is named for.
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/native_worker.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

bool is_deviation(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::broken && outcome.verdict.value_or(Verdict::fail) != Verdict::info;
}

bool is_reported(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::broken || outcome.kind == Outcome::Kind::info;
}

std::vector<Case> plan_of(Role role, const std::string& cases) {
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.roles = {role};
  selection.cases = cases;
  return make_plan(selection);
}

// The rules with such an outcome in some case of the plan.
std::set<std::string> rules_with(bool (*is_meant)(const Outcome&), const DlspecPlugin& plugin, Role role,
                                 const std::string& cases) {
  std::set<std::string> rules;
  for (const Case& work : plan_of(role, cases)) {
    for (const auto& [id, outcome] : answer_case(plugin, work).outcomes) {
      if (is_meant(outcome)) rules.insert(rule(id).id);
    }
  }
  return rules;
}

// The rules that some case of the plan found broken by more than a note.
std::set<std::string> broken_rules(const DlspecPlugin& plugin, Role role, const std::string& cases) {
  return rules_with(is_deviation, plugin, role, cases);
}

TEST(NativeWorker, BuiltinBreaksNothingAndEveryRuleIsAnswered) {
  Selection selection;
  selection.kind = SubjectKind::builtin;
  const std::vector<Case> plan = make_plan(selection);
  ASSERT_FALSE(plan.empty());
  for (const Case& work : plan) {
    const Answer reply = answer_case(*builtin_plugin(), work);
    for (const RuleId id : work.rules) {
      const auto found = reply.outcomes.find(id);
      ASSERT_NE(found, reply.outcomes.end()) << work.id << " left out " << rule(id).id;
      EXPECT_FALSE(is_deviation(found->second)) << work.id << " " << rule(id).id << ": " << found->second.observed;
      EXPECT_NE(found->second.kind, Outcome::Kind::blocked)
          << work.id << " " << rule(id).id << ": " << found->second.observed;
    }
  }
}

// --- faulty producers: the builtin one with one alteration

using Managed = abi::v1::ManagedTensor;

using Alteration = void (*)(Managed&);
Alteration alteration;  // what the altered producer does to each versioned export

int make_altered(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED) alteration(*static_cast<Managed*>(*exported));
  return status;
}

DlspecPlugin producer(Alteration alter) {
  alteration = alter;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_altered;
  return plugin;
}

constexpr const char* plain_float = "producer/float32/c/versioned";

TEST(NativeWorker, ProducerFaultsAreNamed) {
  const auto rules = [](Alteration alter) { return broken_rules(producer(alter), Role::producer, plain_float); };
  using Names = std::set<std::string>;
  EXPECT_EQ(rules([](Managed& m) { m.dl_tensor.dtype.code = kDLInt; }), Names{"dtype.truthful"});
  EXPECT_EQ(rules([](Managed& m) { m.dl_tensor.shape[0] = 2; }), Names{"tensor.shape-truthful"});
  EXPECT_EQ(rules([](Managed& m) { m.dl_tensor.strides = nullptr; }), Names{"tensor.strides-not-null"});
  EXPECT_EQ(rules([](Managed& m) { m.flags = 8; }), Names{"flags.undefined-bits-zero"});
  EXPECT_EQ(rules([](Managed& m) { m.version = {0, 0}; }), Names{"version.filled"});
  EXPECT_EQ(rules([](Managed& m) { static_cast<char*>(m.dl_tensor.data)[20] ^= 1; }), Names{"tensor.element-address"});
  EXPECT_EQ(rules([](Managed& m) {
              for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) m.dl_tensor.strides[axis] *= 4;
            }),
            Names{"tensor.strides-unit"});
  EXPECT_EQ(rules([](Managed&) {}), Names{});
}

// Every fourth float of a larger array, right elements: strides that are four times the compact ones.
void spread(Managed& managed) {
  static float memory[64];
  const auto* const packed = static_cast<const float*>(managed.dl_tensor.data);
  for (std::size_t i = 0; i < 12; ++i) memory[4 * i] = packed[i];
  managed.dl_tensor.data = memory;
  for (int axis = 0; axis < managed.dl_tensor.ndim; ++axis) managed.dl_tensor.strides[axis] *= 4;
}

TEST(NativeWorker, RightElementsAreNeverStridesInBytes) {
  EXPECT_EQ(broken_rules(producer(spread), Role::producer, plain_float), std::set<std::string>{});
}

TEST(NativeWorker, StridesInBytesSayNothingOfOtherExports) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) m.dl_tensor.strides[axis] *= 4;
  });
  EXPECT_EQ(broken_rules(plugin, Role::producer, "producer/float32/c/two-exports"), std::set<std::string>{});
}

TEST(NativeWorker, ALeakingProducerIsFound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  const DlspecPlugin plugin = producer([](Managed& m) { m.deleter = [](Managed*) {}; });
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*/consumed"), std::set<std::string>{"managed.owner-balanced"});
}

int make_and_leak(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  static std::vector<std::unique_ptr<char[]>> kept_blocks;  // still reachable: a leak checker has nothing to say
  kept_blocks.push_back(std::make_unique<char[]>(100));
  return builtin_plugin()->make(spec, generation, exported, reason);
}

TEST(NativeWorker, WhatAnExportOfBytesLeavesBehindIsItsOwn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_and_leak;
  EXPECT_EQ(broken_rules(plugin, Role::producer, "producer/uint8/c/consumed"),
            std::set<std::string>{"managed.deleter-frees-self"});
}

// --- faulty consumers: the builtin one with one alteration

DlspecPlugin consumer(decltype(DlspecPlugin::import_tensor) import_tensor) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_tensor;
  return plugin;
}

int ignore_byte_offset(void* exported, int generation, void** array, const char** reason) {
  const bool known = generation == DLSPEC_LEGACY || static_cast<Managed*>(exported)->version.major == 1;
  if (known) managed_tensor(exported_struct(exported, generation)).byte_offset = 0;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int ignore_major(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED) static_cast<Managed*>(exported)->version.major = 1;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int leak_refused(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED && static_cast<Managed*>(exported)->version.major != 1) return DLSPEC_UNSUPPORTED;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

std::vector<void*> kept;  // still reachable: a leak checker has nothing to say

void never_release(void* array) { kept.push_back(array); }

void release_twice(void* array) {
  Managed* const managed = *static_cast<Managed**>(array);  // the builtin consumer's array begins with its address
  managed->deleter(managed);
  builtin_plugin()->release(array);
}

// --- consumers that misread one thing in the struct

// Both generations by one name; flags and version only where there are any.
template <class Act>
void with_struct(void* exported, int generation, Act act) {
  Managed* const versioned = generation == DLSPEC_VERSIONED ? static_cast<Managed*>(exported) : nullptr;
  with_managed(exported_struct(exported, generation),
               [&](auto& managed) { act(managed.dl_tensor, managed.manager_ctx, versioned); });
}

using Change = void (*)(abi::Tensor&, void*& context, Managed*);
Change change;  // what the altered consumer does to the struct before it imports it

int import_changed(void* exported, int generation, void** array, const char** reason) {
  with_struct(exported, generation, change);
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

// The rules broken in one case, notes included.
std::set<std::string> broken_in(const DlspecPlugin& plugin, Role role, const std::string& id) {
  EXPECT_EQ(plan_of(role, id).size(), 1U) << id;
  return rules_with(is_reported, plugin, role, id);
}

// The builtin consumer reads the struct when it imports it and again when contents are asked for: a
// change that stays is one that it reads by.
std::set<std::string> broken_by(Change applied, const std::string& id) {
  change = applied;
  std::set<std::string> broken = broken_in(consumer(import_changed), Role::consumer, id);
  broken.erase("tensor.metadata-not-mutated");  // how the change is made here
  return broken;
}

int refuse_without_context(void* exported, int generation, void** array, const char** reason) {
  bool orphan = false;
  with_struct(exported, generation, [&](abi::Tensor&, void*& context, Managed*) { orphan = context == nullptr; });
  if (!orphan) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (generation == DLSPEC_VERSIONED) static_cast<Managed*>(exported)->deleter(static_cast<Managed*>(exported));
  *reason = "nobody owns it";
  return DLSPEC_UNSUPPORTED;
}

int count_in_context(void* exported, int generation, void** array, const char** reason) {
  with_struct(exported, generation, [](abi::Tensor&, void*& context, Managed* managed) {
    const bool far = context != managed && reinterpret_cast<std::uintptr_t>(context) > 4096 &&
                     reinterpret_cast<std::uintptr_t>(context) % 2 == 0;
    if (managed != nullptr && far) ++*static_cast<unsigned char*>(context);
  });
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int look_before_the_struct(void* exported, int generation, void** array, const char** reason) {
  std::uint32_t major = 0;
  if (generation == DLSPEC_LEGACY) std::memcpy(&major, static_cast<const char*>(exported) - 32, sizeof major);
  if (major <= 1) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  call_deleter(exported_struct(exported, generation));
  *reason = "another major version";
  return DLSPEC_UNSUPPORTED;
}

int legacy_alone(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_LEGACY) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  call_deleter(exported_struct(exported, generation));
  *reason = "unknown struct";
  return DLSPEC_UNSUPPORTED;
}

int make_legacy_alone(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  *reason = "unknown struct";
  return generation == DLSPEC_LEGACY ? builtin_plugin()->make(spec, generation, exported, reason) : DLSPEC_UNSUPPORTED;
}

TEST(NativeWorker, MisreadFieldsAreNamed) {
  using Names = std::set<std::string>;
  const auto device_as_host = [](abi::Tensor& tensor, void*&, Managed*) {
    if (tensor.device.device_type < 90) tensor.device = {kDLCPU, 0};
  };
  const auto any_device = [](abi::Tensor& tensor, void*&, Managed*) { tensor.device = {kDLCPU, 0}; };
  const auto one_lane = [](abi::Tensor& tensor, void*&, Managed*) { tensor.dtype.lanes = 1; };
  const auto bytes_for_bool = [](abi::Tensor& tensor, void*&, Managed*) {
    if (tensor.dtype.code == kDLBool) tensor.dtype.bits = 8;
  };
  const auto no_flags = [](abi::Tensor&, void*&, Managed* managed) {
    if (managed != nullptr) managed->flags = 0;
  };
  const auto aligned = [](abi::Tensor& tensor, void*&, Managed*) {
    tensor.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(tensor.data) & ~std::uintptr_t{63});
  };
  const auto whole_elements = [](abi::Tensor& tensor, void*&, Managed*) { tensor.byte_offset &= ~std::uint64_t{3}; };
  const auto reversed = [](abi::Tensor& tensor, void*&, Managed* managed) {
    if (managed == nullptr && tensor.strides == nullptr) tensor.data = static_cast<char*>(tensor.data) + 4;
  };
  EXPECT_EQ(broken_by(device_as_host, "consumer/float32/c/device=extension"), Names{"device.extdev-private"});
  EXPECT_EQ(broken_by(device_as_host, "consumer/float32/offset/device=handle"), Names{"device.opaque-no-arithmetic"});
  EXPECT_EQ(broken_by(any_device, "consumer/float32/c/device=extension"), Names{});
  EXPECT_EQ(broken_by(any_device, "consumer/float32/offset/device=handle"), Names{});
  EXPECT_EQ(broken_by(one_lane, "consumer/float32x4/c/lanes"), Names{"dtype.lanes-unsupported-rejected"});
  EXPECT_EQ(broken_by(bytes_for_bool, "consumer/bool/c/bool-width"), Names{"dtype.bool-other-bits-rejected"});
  EXPECT_EQ(broken_by(no_flags, "consumer/int4/c/padded"), Names{"flags.padded-checked"});
  EXPECT_EQ(broken_by(no_flags, "consumer/int4/c/unknown-flags"), Names{"flags.unknown-bits-policy"});
  EXPECT_EQ(broken_by(aligned, "consumer/float32/c/misaligned"), Names{"tensor.data-alignment-not-assumed"});
  EXPECT_EQ(broken_by(whole_elements, "consumer/float64/c/byte_offset=odd"), Names{"tensor.byte-offset-unaligned"});
  EXPECT_EQ(broken_by(reversed, "consumer/float32/c/strides-null=legacy"), Names{"version.legacy-has-none"});
  EXPECT_EQ(broken_by(reversed, "consumer/float32/rank8/strides-null=legacy"),
            Names{"tensor.strides-null-means-rowmajor"})
      << "there nobody asks what legacy structs have";
}

TEST(NativeWorker, TheStructIsTheProducers) {
  using Names = std::set<std::string>;
  const auto rules = [](decltype(DlspecPlugin::import_tensor) import, const std::string& id) {
    return broken_in(consumer(import), Role::consumer, id);
  };
  EXPECT_EQ(rules(ignore_byte_offset, "consumer/float32/c/metadata"), Names{}) << "byte_offset is 0 before and after";
  change = [](abi::Tensor& tensor, void*&, Managed*) { tensor.strides = nullptr; };
  EXPECT_EQ(rules(import_changed, "consumer/float32/c/metadata"), Names{"tensor.metadata-not-mutated"});
  EXPECT_EQ(rules(refuse_without_context, "consumer/float32/c/manager_ctx=null"), Names{"managed.ctx-opaque"});
  EXPECT_EQ(rules(count_in_context, "consumer/float32/c/manager_ctx=memory"), Names{"managed.ctx-opaque"});
  EXPECT_EQ(rules(look_before_the_struct, "consumer/float32/c/legacy-neighbours"), Names{"version.legacy-has-none"});
  EXPECT_EQ(rules(legacy_alone, "consumer/float32/c/generations"), Names{"managed.legacy-deprecated"});
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_legacy_alone;
  EXPECT_EQ(broken_in(plugin, Role::producer, "producer/float32/c/generations"), Names{"managed.legacy-deprecated"});
}

TEST(NativeWorker, FormatsOfOneSizeAreToldApart) {
  using Names = std::set<std::string>;
  const DlspecPlugin float8 = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLFloat8_e4m3; });
  EXPECT_EQ(broken_in(float8, Role::producer, "producer/float8_e4m3fn/c/fp8"), Names{"dtype.fp8-variants-distinct"});
  EXPECT_EQ(broken_in(float8, Role::producer, "producer/float8_e4m3fn/c/versioned"), Names{});
  const DlspecPlugin pairs = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLComplex; });
  EXPECT_EQ(broken_in(pairs, Role::producer, "producer/bcomplex32/c/complex32"), Names{"dtype.complex32-is-fp16-pair"});
  const DlspecPlugin bytes = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLUInt; });
  EXPECT_EQ(broken_in(bytes, Role::producer, "producer/float8_e3m4/c/fp8"), Names{"dtype.truthful"});
  const DlspecPlugin wrong = producer([](Managed& m) { *static_cast<char*>(m.dl_tensor.data) ^= 1; });
  EXPECT_EQ(broken_in(wrong, Role::producer, "producer/float8_e3m4/c/fp8"), Names{"tensor.element-address"});
}

int first_byte_wrong(void* array, void* bytes, std::size_t byte_count) {
  const int status = builtin_plugin()->contents(array, bytes, byte_count);
  if (byte_count > 0) static_cast<unsigned char*>(bytes)[0] ^= 1;
  return status;
}

// The rules broken in the whole plan of a consumer, notes included.
std::set<std::string> found_in_all(const DlspecPlugin& plugin) {
  return rules_with(is_reported, plugin, Role::consumer, "*");
}

TEST(NativeWorker, OneFaultOfAConsumerIsOneRuleInTheWholePlan) {
  using Names = std::set<std::string>;
  EXPECT_EQ(found_in_all(*builtin_plugin()), Names{});
  // Where byte_offset is not 0 this one also writes to the struct.
  EXPECT_EQ(found_in_all(consumer(ignore_byte_offset)),
            (Names{"tensor.byte-offset-honoured", "tensor.metadata-not-mutated"}));
  EXPECT_EQ(found_in_all(consumer(ignore_major)), Names{"version.major-mismatch-release"});
  EXPECT_EQ(found_in_all(consumer(leak_refused)), Names{"version.major-mismatch-release"});
  DlspecPlugin plugin = *builtin_plugin();
  plugin.contents = first_byte_wrong;
  EXPECT_EQ(found_in_all(plugin), Names{"tensor.element-address"});
  plugin = *builtin_plugin();
  plugin.release = never_release;  // of one layout: what is never released keeps its guard pages
  EXPECT_EQ(rules_with(is_reported, plugin, Role::consumer, "consumer/*/c/*"), Names{"managed.deleter-once"});
  plugin.release = release_twice;  // which knows versioned structs with a deleter alone
  EXPECT_EQ(broken_in(plugin, Role::consumer, "consumer/float32/c/versioned"), Names{"managed.deleter-once"});
}

TEST(NativeWorker, ARefusalIsUnsupportedNotAFault) {
  const DlspecPlugin plugin = consumer([](void* exported, int generation, void**, const char** reason) -> int {
    *reason = "nothing is good enough";
    call_deleter(exported_struct(exported, generation));
    return DLSPEC_UNSUPPORTED;
  });
  EXPECT_EQ(broken_rules(plugin, Role::consumer, "consumer/*/versioned"), std::set<std::string>{});
}

}  // namespace
}  // namespace dlspec::conformance
