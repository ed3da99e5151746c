// Faults of dlspec's own plug-in that show under one condition alone: of large arrays, after a release on another
// thread, beside arrays of other extents.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/conformance/worker/native/producer_trial.h>

namespace dlspec::conformance {
namespace {

decltype(Managed::deleter) builtin_deleter;

void release_here(Managed* managed) {
  static const std::thread::id here = std::this_thread::get_id();
  if (std::this_thread::get_id() == here) builtin_deleter(managed);
}

TEST(NativeConditions, WhatStaysOnlyAfterAReleaseOnAnotherThreadIsFound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  const DlspecPlugin plugin = producer([](Managed& m) {
    builtin_deleter = m.deleter;
    m.deleter = release_here;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/many-consumed=thread"), Names{"managed.owner-balanced"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/many-consumed"), Names{});
}

using LegacyManaged = abi::v0::ManagedTensor;
void (*legacy_alteration)(LegacyManaged&);
decltype(LegacyManaged::deleter) builtin_legacy_deleter;

int make_legacy_altered(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_LEGACY) legacy_alteration(*static_cast<LegacyManaged*>(*exported));
  return status;
}

DlspecPlugin legacy_producer(void (*alter)(LegacyManaged&)) {
  legacy_alteration = alter;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_legacy_altered;
  return plugin;
}

TEST(NativeConditions, LegacyExportsOf8BitFloatsAreAsked) {
  const DlspecPlugin plugin = legacy_producer([](LegacyManaged& m) {
    if (m.dl_tensor.dtype.code == 10) ++m.dl_tensor.dtype.code;  // e4m3fn becomes e4m3fnuz
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float8_e4m3fn/c/fp8"),
            Names{"dtype.fp8-variants-distinct"});
}

TEST(NativeConditions, WhatStaysOfLegacyExportsAfterAReleaseOnAnotherThreadIsFound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  const DlspecPlugin plugin = legacy_producer([](LegacyManaged& m) {
    builtin_legacy_deleter = m.deleter;
    m.deleter = [](LegacyManaged* managed) {
      static const std::thread::id here = std::this_thread::get_id();
      if (std::this_thread::get_id() == here) builtin_legacy_deleter(managed);
    };
  });
  PluginExport(plugin, NativeCase(plan_of(Role::producer, "producer/float32/c/many-consumed").at(0)),
               Generation::legacy)
      .release();  // on this thread
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/many-consumed=thread"), Names{"managed.owner-balanced"});
}

TEST(NativeConditions, WhatStaysOfLargeArraysAloneIsFound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  const DlspecPlugin plugin = producer([](Managed& m) {
    builtin_deleter = m.deleter;
    m.deleter = [](Managed* managed) {
      if (managed->dl_tensor.shape[0] < 1 << 10) builtin_deleter(managed);
    };
  });
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/float32/c/many-consumed"), Names{"managed.owner-balanced"});
}

TEST(NativeConditions, WhatIsWrongOfLargeArraysAloneIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    std::int64_t count = 1;
    for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) count *= m.dl_tensor.shape[axis];
    if (count > 1 << 16) static_cast<char*>(m.dl_tensor.data)[1 << 18] ^= 1;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*"), Names{"tensor.element-address"});
}

TEST(NativeConditions, ADescriptionThatIsSharedByExportsOfOtherArraysIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::int64_t shape[32];
    if (m.dl_tensor.ndim != 2) return;
    std::copy_n(m.dl_tensor.shape, 2, shape);
    m.dl_tensor.shape = shape;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/path:*after=other*"), Names{"tensor.metadata-constant"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/path:*after=export*"), Names{});
}

TEST(NativeConditions, AnArrayThatIsTakenForOneOfTheSameElementsIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    if (m.dl_tensor.ndim != 1 || m.dl_tensor.shape[0] != 12) return;
    m.dl_tensor.shape[0] = 11;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/c/path:*before=other-alive*"),
            Names{"tensor.shape-truthful"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/c/path:*before=other-released*"), Names{});
}

TEST(NativeConditions, ScalarsInOnePlaceAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static double place;
    if (m.dl_tensor.ndim != 0 || m.dl_tensor.dtype.bits != 32) return;
    std::memcpy(&place, static_cast<const char*>(m.dl_tensor.data) + m.dl_tensor.byte_offset, 4);
    m.dl_tensor.data = &place;
    m.dl_tensor.byte_offset = 0;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/scalar/path:*after=other*"),
            Names{"managed.exports-independent"});
}

TEST(NativeConditions, DescriptionsThatRunOutAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::int64_t shapes[8][32];
    static std::size_t next;
    if (m.dl_tensor.ndim > 32) return;
    std::int64_t* const slot = shapes[next++ % 8];
    std::copy_n(m.dl_tensor.shape, m.dl_tensor.ndim, slot);
    m.dl_tensor.shape = slot;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/path:*after=many*"), Names{"tensor.metadata-constant"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/path:*after=export*"), Names{});
}

// Gives the last reference to a thread of its own.
void release_a_moment_later(void* array) {
  std::thread([array] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    builtin_plugin()->release(array);
  }).detach();
}

TEST(NativeConditions, AReleaseAMomentLaterIsNoFault) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.release = release_a_moment_later;
  missed_releases = 0;  // of what leaks in other tests
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "consumer/float32/{c,offset}/*"), Names{});
}

std::int64_t latest_extent;
std::map<void*, std::int64_t> extents;

int import_noting_the_extent(void* exported, int generation, void** array, const char** reason) {
  with_managed(exported_struct(exported, generation), [](const auto& managed) {
    latest_extent = managed.dl_tensor.ndim == 2 ? managed.dl_tensor.shape[0] : 0;
  });
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) extents[*array] = latest_extent;
  return status;
}

int contents_of_the_latest_extent(void* array, void* bytes, std::size_t count) {
  return extents[array] == latest_extent ? builtin_plugin()->contents(array, bytes, count) : DLSPEC_ERROR;
}

TEST(NativeConditions, AnImportThatTheImportOfAnotherTensorChangesIsFound) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_noting_the_extent;
  plugin.contents = contents_of_the_latest_extent;
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "*/path:*after=other*"), Names{"managed.not-early"});
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "*/path:*after=import*"), Names{});
}

// Keeps structs of a foreign major once an unknown dtype was refused.
int import_keeping_after_a_refusal(void* exported, int generation, void** array, const char** reason) {
  static bool refused = false;
  const bool foreign = generation == DLSPEC_VERSIONED && static_cast<Managed*>(exported)->version.major != 1;
  if (foreign && refused) {
    *reason = "another major";
    return DLSPEC_ERROR;
  }
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  refused = refused || (status != DLSPEC_OK && !foreign);
  return status;
}

TEST(NativeConditions, AStimulusMeetsAHistory) {
  const DlspecPlugin plugin = consumer(import_keeping_after_a_refusal);
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/major=2"), Names{});
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/path:before=refusal+stimulus=major=2"),
            Names{"version.major-mismatch-release"});
}

// Refuses once more after two tensors of an unknown device in a row.
int import_counting_devices(void* exported, int generation, void** array, const char** reason) {
  static int devices = 0;
  const bool foreign = generation == DLSPEC_VERSIONED && static_cast<Managed*>(exported)->version.major != 1;
  if (foreign) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  const bool is_host = managed_tensor(exported_struct(exported, generation)).device.device_type == 1;
  if (is_host && devices > 1) {
    devices = 0;
    *reason = "not now";
    return DLSPEC_ERROR;
  }
  devices = is_host ? 0 : devices + 1;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

// Keeps a legacy struct that it refuses for its device.
int import_keeping_legacy_devices(void* exported, int generation, void** array, const char** reason) {
  const bool is_kept =
      generation == DLSPEC_LEGACY && managed_tensor(exported_struct(exported, generation)).device.device_type != 1;
  if (!is_kept) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  *reason = "no such device";
  return DLSPEC_ERROR;
}

TEST(NativeConditions, AStimulusMeetsTheOlderStruct) {
  const DlspecPlugin plugin = consumer(import_keeping_legacy_devices);
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/unknown-device"), Names{});
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/path:struct=legacy+stimulus=unknown-device"),
            Names{"managed.error-releases"});
}

TEST(NativeConditions, ARefusalAfterTwoOthersIsFound) {
  const DlspecPlugin plugin = consumer(import_counting_devices);
  const Names found = violated_rules(plugin, Role::consumer, "*/path:*before=refusals*");
  EXPECT_NE(std::find(found.begin(), found.end(), "managed.error-releases"), found.end());
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "*/path:before=refusal"), Names{});
}

int contents_of_misread_strides(void* array, void* bytes, std::size_t count) {
  const int status = builtin_plugin()->contents(array, bytes, count);
  if (extents[array] != 0) std::reverse(static_cast<char*>(bytes), static_cast<char*>(bytes) + count);
  return status;
}

std::map<const void*, int> bits_at;  // of what was imported first

int import_noting_the_address(void* exported, int generation, void** array, const char** reason) {
  const auto& tensor = managed_tensor(exported_struct(exported, generation));
  const int bits = bits_at.try_emplace(tensor.data, tensor.dtype.bits).first->second;
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) extents[*array] = bits == tensor.dtype.bits ? 0 : 1;
  return status;
}

TEST(NativeConditions, OtherElementsAtTheSameAddressAreFound) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_noting_the_address;
  plugin.contents = contents_of_misread_strides;
  const Names found = violated_rules(plugin, Role::consumer, "consumer/float64/*/path:*before=same-memory*");
  EXPECT_EQ(violated_rules(*builtin_plugin(), Role::consumer, "*/path:*before=same-*"), Names{});
  EXPECT_NE(std::find(found.begin(), found.end(), "tensor.element-address"), found.end());
}

int import_misreading_null_strides(void* exported, int generation, void** array, const char** reason) {
  const auto& tensor = managed_tensor(exported_struct(exported, generation));
  const bool is_misread = tensor.strides == nullptr && tensor.dtype.bits == 16;
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) extents[*array] = is_misread ? 1 : 0;
  return status;
}

TEST(NativeConditions, NullStridesAreACondition) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_misreading_null_strides;
  plugin.contents = contents_of_misread_strides;
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "*/path:*strides=null*"),
            Names{"tensor.strides-null-means-rowmajor"});
}

}  // namespace
}  // namespace dlspec::conformance
