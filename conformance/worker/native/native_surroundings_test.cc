// Faults of dlspec's own plug-in that show beside other arrays or in a refusal that few cases ask for.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

int import_of_builtin(void* managed, int generation, void** array, const char** reason) {
  return builtin_plugin()->import_tensor(managed, generation, array, reason);
}

// What a refusal does beside refusing is judged whatever the case is about.
TEST(NativeSurroundings, ARefusalOfWideBooleansThatReleasesTwiceIsFound) {
  const DlspecPlugin plugin = consumer([](void* managed, int generation, void** array, const char** reason) {
    const Exported exported = exported_struct(managed, generation);
    if (exported.tensor().dtype.code != kDLBool || exported.tensor().dtype.bits == 8)
      return import_of_builtin(managed, generation, array, reason);
    *reason = "no such booleans";
    call_deleter(exported);
    call_deleter(exported);
    return int{DLSPEC_UNSUPPORTED};
  });
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/bool/c/bool-width"), Names{"managed.error-releases"});
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/bool/c/versioned"), Names{});
}

// The imports of the last eight calls; the one before them is released.
TEST(NativeSurroundings, ARingOfEightImportsIsFound) {
  const DlspecPlugin plugin = consumer([](void* managed, int generation, void** array, const char** reason) {
    static std::array<std::pair<void*, int>, 8> ring{};
    static std::size_t next = 0;
    const int status = import_of_builtin(managed, generation, array, reason);
    if (status != DLSPEC_OK || generation != DLSPEC_VERSIONED) return status;
    const auto [oldest, of] = std::exchange(ring[next++ % ring.size()], {managed, generation});
    if (oldest != nullptr) call_deleter(exported_struct(oldest, of));
    return status;
  });
  EXPECT_TRUE(
      violated_in(plugin, Role::consumer, "consumer/float32/c/path:after=import").contains("managed.not-early"));
}

TEST(NativeSurroundings, AnImportThatDiffersInByteOffsetAloneIsNotTakenForAnother) {
  const DlspecPlugin plugin = consumer([](void* managed, int generation, void** array, const char** reason) {
    static std::map<const void*, std::uint64_t> offsets;
    abi::Tensor& tensor = managed_tensor(exported_struct(managed, generation));
    if (tensor.ndim == 2 && tensor.shape[0] == 2) {
      tensor.byte_offset = offsets.try_emplace(tensor.data, tensor.byte_offset).first->second;
    }
    return import_of_builtin(managed, generation, array, reason);
  });
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/same-memory"), Names{"tensor.element-address"});
}

// What has been waited for often enough is not waited for any more, and says nothing.
TEST(NativeSurroundings, ALibraryThatAlwaysReleasesLateIsNotBlamed) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.release = [](void* array) {
    std::thread([array] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      builtin_plugin()->release(array);
    }).detach();
  };
  const auto spent = spent_on_late_releases.exchange(std::chrono::milliseconds(9000));
  const auto began = std::chrono::steady_clock::now();
  const Case work = plan_of(Role::consumer, "consumer/float32/c/versioned").at(0);
  const Outcome once = answer_case(plugin, work).outcomes.at(RuleId::managed_deleter_once);
  const bool waited = std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(50);
  spent_on_late_releases = spent;
  EXPECT_TRUE(waited ? once.kind == Outcome::Kind::pass : once.kind == Outcome::Kind::unsupported) << once.observed;
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/versioned"), Names{});
}

TEST(NativeSurroundings, StridesOfAnotherArrayOfAsManyElementsAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::map<std::pair<std::int32_t, std::int64_t>, std::array<std::int64_t, 3>> remembered;
    abi::Tensor& tensor = m.dl_tensor;
    std::int64_t count = 1, step = 1;
    for (int axis = tensor.ndim; axis-- > 0; step *= tensor.shape[axis]) {
      if (tensor.strides[axis] != step) return;
      count *= tensor.shape[axis];
    }
    if (tensor.ndim != 2) return;
    std::array<std::int64_t, 3>& strides = remembered[{tensor.ndim, count}];
    if (strides[0] == 0) std::copy_n(tensor.strides, tensor.ndim, strides.data());
    tensor.strides = strides.data();
  });
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/float32/c/path:before=other-alive"),
            Names{"tensor.element-address"});
}

TEST(NativeSurroundings, AColumnWhoseAxesHaveOneStepIsReadByIt) {
  const DlspecPlugin plugin = consumer([](void* managed, int generation, void** array, const char** reason) {
    abi::Tensor& tensor = managed_tensor(exported_struct(managed, generation));
    if (tensor.ndim == 2 && tensor.shape[1] == 1 && tensor.strides != nullptr && tensor.strides[0] == tensor.strides[1])
      tensor.strides[0] = 1;
    return import_of_builtin(managed, generation, array, reason);
  });
  EXPECT_TRUE(violated_in(plugin, Role::consumer, "consumer/float32/extent1/strides=far")
                  .contains("tensor.strides-extent1-ignored"));
}

using Api = abi::v1::ExchangeApi;
const Api honest = *static_cast<const Api*>(builtin_plugin()->exchange_api);

// The tensor is released by a thread, a moment after its deleter was called.
void release_late(Managed* managed) {
  static std::map<Managed*, void (*)(Managed*)> deleters;
  deleters[managed] = managed->deleter;
  managed->deleter = [](Managed* given_up) {
    std::thread([given_up, release = deleters.at(given_up)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      release(given_up);
    }).detach();
  };
}

// Waits for what is released and freed, however often other tests of this process have waited in vain.
Names violated_with(const Api& api, const char* id) {
  missed_releases = missed_frees = 0;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.exchange_api = &api;
  return violated_rules(plugin, Role::producer, id);
}

// What a table gave is not left behind while the deleter's thread still has to free it.
TEST(NativeSurroundings, AnAllocatorWhoseDeletersFreeLaterIsNotBlamed) {
  static Api late = honest;
  late.managed_tensor_allocator = [](abi::Tensor* prototype, Managed** out, void* context,
                                     void (*set_error)(void*, const char*, const char*)) {
    const int status = honest.managed_tensor_allocator(prototype, out, context, set_error);
    if (status == 0) release_late(*out);
    return status;
  };
  EXPECT_EQ(violated_with(late, "producer/float32/c/table-allocator"), Names{});
}

TEST(NativeSurroundings, ATableWhoseExportsAreFreedLaterIsNotBlamed) {
  static Api late = honest;
  late.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = honest.managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) release_late(*out);
    return status;
  };
  EXPECT_EQ(violated_with(late, "producer/float32/c/table-owned"), Names{});
}

// A library may do everything on a thread that takes milliseconds for each export.
TEST(NativeSurroundings, SlowRoundsAreFewer) {
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); };
  EXPECT_EQ(carried_out(1000, 1, slow), fewest_items);
  EXPECT_EQ(carried_out(1000, 64, [] { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }), 2U);
  EXPECT_EQ(carried_out(5, 1, slow), 5U);
  EXPECT_EQ(carried_out(1000, 1, [] {}), 1000U);
}

// A struct that is used again keeps READ_ONLY of the array before.
int make_with_old_flags(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  static std::uint64_t left_behind = 0;
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK || generation != DLSPEC_VERSIONED) return status;
  auto& managed = *static_cast<Managed*>(*exported);
  const std::uint64_t own = managed.flags;
  managed.flags |= std::exchange(left_behind, own & flags::read_only);
  return status;
}

TEST(NativeSurroundings, FlagsThatAnotherArrayLeftBehindAreFound) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_with_old_flags;
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/float32/c/path:before=other-released"),
            Names{"flags.read-only-truthful"});
}

TEST(NativeSurroundings, CopiesThatShareTheirMemoryAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static char shared[8] = {};
    m.flags |= flags::is_copied;
    if (m.dl_tensor.ndim != 0 || m.dl_tensor.dtype.bits != 8) return;
    shared[0] = *static_cast<char*>(m.dl_tensor.data);
    m.dl_tensor.data = shared;
  });
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/uint8/scalar/path:after=export"),
            Names{"flags.is-copied-exclusive"});
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/uint16/scalar/path:after=export"), Names{});
}

}  // namespace
}  // namespace dlspec::conformance
