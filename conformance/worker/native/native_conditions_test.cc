// Faults of dlspec's own plug-in that show under one condition alone: of large arrays, after a release on another
// thread, beside arrays of other extents.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>

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
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*/many-consumed=thread"), Names{"managed.owner-balanced"});
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*/many-consumed"), Names{});
}

TEST(NativeConditions, WhatIsWrongOfLargeArraysAloneIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    std::int64_t count = 1;
    for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) count *= m.dl_tensor.shape[axis];
    if (count > 1 << 16) static_cast<char*>(m.dl_tensor.data)[1 << 18] ^= 1;
  });
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*"), Names{"tensor.element-address"});
}

TEST(NativeConditions, ADescriptionThatIsSharedByExportsOfOtherArraysIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::int64_t shape[32];
    if (m.dl_tensor.ndim != 2) return;
    std::copy_n(m.dl_tensor.shape, 2, shape);
    m.dl_tensor.shape = shape;
  });
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*/path:*after=other*"), Names{"tensor.metadata-constant"});
  EXPECT_EQ(broken_rules(plugin, Role::producer, "*/path:*after=export*"), Names{});
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
  EXPECT_EQ(broken_rules(plugin, Role::consumer, "*/path:*after=other*"), Names{"managed.not-early"});
  EXPECT_EQ(broken_rules(plugin, Role::consumer, "*/path:*after=import*"), Names{});
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
  EXPECT_EQ(broken_in(plugin, Role::consumer, "consumer/float32/c/major=2"), Names{});
  EXPECT_EQ(broken_in(plugin, Role::consumer, "consumer/float32/c/path:before=refusal+stimulus=major=2"),
            Names{"version.major-mismatch-release"});
}

int import_misreading_null_strides(void* exported, int generation, void** array, const char** reason) {
  const auto& tensor = managed_tensor(exported_struct(exported, generation));
  const bool is_misread = tensor.strides == nullptr && tensor.dtype.bits == 16;
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) extents[*array] = is_misread ? 1 : 0;
  return status;
}

int contents_of_misread_strides(void* array, void* bytes, std::size_t count) {
  const int status = builtin_plugin()->contents(array, bytes, count);
  if (extents[array] != 0) std::reverse(static_cast<char*>(bytes), static_cast<char*>(bytes) + count);
  return status;
}

TEST(NativeConditions, NullStridesAreACondition) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.import_tensor = import_misreading_null_strides;
  plugin.contents = contents_of_misread_strides;
  EXPECT_EQ(broken_rules(plugin, Role::consumer, "*/path:*strides=null*"), Names{"tensor.strides-null-means-rowmajor"});
}

}  // namespace
}  // namespace dlspec::conformance
