// Faults of dlspec's own plug-in that show for certain values alone: of elements, lanes, ranks, majors and offsets.
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

TEST(NativeValues, SubnormalNumbersThatGoOutAsZeroAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    if (m.dl_tensor.dtype.code != kDLFloat || m.dl_tensor.dtype.bits != 16 || m.dl_tensor.ndim != 2) return;
    auto* const first = static_cast<std::uint16_t*>(m.dl_tensor.data) + m.dl_tensor.byte_offset / 2;
    for (int i = 0; i < 12; ++i) {
      if ((first[i] & 0x7C00) == 0) first[i] &= 0x8000;
    }
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float16/c/extreme-values"), Names{"tensor.element-address"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float16/c/versioned"), Names{});
}

TEST(NativeValues, VectorsOfThreeLanesThatAreWrongAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    if (m.dl_tensor.dtype.lanes == 3) static_cast<char*>(m.dl_tensor.data)[1] ^= 1;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float32/c/lanes=3"), Names{"tensor.element-address"});
}

TEST(NativeValues, ARankThatIsCutIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) { m.dl_tensor.ndim = std::min(m.dl_tensor.ndim, 32); });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float32/c/rank=40"), Names{"tensor.shape-truthful"});
}

TEST(NativeValues, AnExtentOf32BitsIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) {
      m.dl_tensor.shape[axis] = static_cast<std::uint32_t>(m.dl_tensor.shape[axis]);
    }
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/extent=4294967299"), Names{"abi.shape-int64"});
}

TEST(NativeValues, AFlagThatIsLeftFromAnotherExportIsNoted) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::uint64_t left = 0;
    m.flags |= std::exchange(left, m.flags & flags::read_only);
  });
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/float32/c/path:before=other-released"),
            Names{"flags.read-only-truthful"});
}

int import_with_an_offset_of_32_bits(void* exported, int generation, void** array, const char** reason) {
  with_managed(exported_struct(exported, generation), [](auto& managed) {
    managed.dl_tensor.byte_offset = static_cast<std::uint32_t>(managed.dl_tensor.byte_offset);
  });
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

TEST(NativeValues, AnOffsetOf32BitsIsFound) {
  const DlspecPlugin plugin = consumer(import_with_an_offset_of_32_bits);
  EXPECT_TRUE(violated_rules(plugin, Role::consumer, "*/float32/c/byte_offset=4294967360")
                  .contains("tensor.byte-offset-honoured"));
  EXPECT_EQ(violated_rules(*builtin_plugin(), Role::consumer, "*/byte_offset=4294967360"), Names{});
}

int import_of_the_lowest_bits(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED) static_cast<Managed*>(exported)->version.major &= 0xFFFF;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

TEST(NativeValues, AMajorThatIsReadInPartIsFound) {
  const DlspecPlugin plugin = consumer(import_of_the_lowest_bits);
  EXPECT_TRUE(violated_rules(plugin, Role::consumer, "*/major=65537").contains("version.major-mismatch-release"));
  EXPECT_FALSE(violated_rules(plugin, Role::consumer, "*/major=2").contains("version.major-mismatch-release"));
}

// Refuses what has no context without a release.
int import_keeping_what_has_no_context(void* exported, int generation, void** array, const char** reason) {
  bool is_odd = false;
  with_managed(exported_struct(exported, generation), [&](const auto& managed) {
    is_odd = managed.manager_ctx == nullptr && managed.dl_tensor.dtype.code > 100;
  });
  *reason = "no such dtype";
  return is_odd ? DLSPEC_ERROR : builtin_plugin()->import_tensor(exported, generation, array, reason);
}

TEST(NativeValues, WhatIsRefusedAndHasNoContextIsReleasedAllTheSame) {
  const DlspecPlugin plugin = consumer(import_keeping_what_has_no_context);
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "*/manager_ctx=null"), Names{"managed.ctx-opaque"});
}

// Keeps whether memory at an address was taken, and asks nothing more of it.
int import_of_known_memory(void* exported, int generation, void** array, const char** reason) {
  static std::set<const void*> known;
  with_managed(exported_struct(exported, generation), [&](auto& managed) {
    if (known.contains(managed.dl_tensor.data)) managed.dl_tensor.dtype = {kDLFloat, 32, 1};
  });
  const void* data = nullptr;
  with_managed(exported_struct(exported, generation), [&](const auto& managed) { data = managed.dl_tensor.data; });
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) known.insert(data);
  return status;
}

TEST(NativeValues, AnUnknownDtypeOfMemoryThatWasTakenBeforeIsTried) {
  const DlspecPlugin plugin = consumer(import_of_known_memory);
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/unknown-dtype"),
            Names{"version.unknown-values-rejected"});
}

TEST(NativeValues, WhatIsLeftOfAnArrayWithoutElementsIsFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static bool was_empty = false;
    if (m.dl_tensor.ndim != 2 || m.dl_tensor.shape[0] != 3) return;
    if (std::exchange(was_empty, m.dl_tensor.shape[1] == 0) && m.dl_tensor.shape[1] != 0) m.dl_tensor.byte_offset += 4;
  });
  EXPECT_TRUE(violated_rules(plugin, Role::producer, "producer/float32/*/path:before=other-alive")
                  .contains("tensor.element-address"));
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/*/path:before=export-alive"), Names{});
}

TEST(NativeValues, ALegacyExportBeforeAVersionedOneIsTried) {
  static bool was_legacy;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = [](const DlspecSpec* spec, int generation, void** exported, const char** reason) {
    const int status = builtin_plugin()->make(spec, generation, exported, reason);
    const bool is_recycled = std::exchange(was_legacy, generation == DLSPEC_LEGACY);
    if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED && is_recycled)
      static_cast<Managed*>(*exported)->version = {0, 0};
    return status;
  };
  EXPECT_TRUE(
      violated_rules(plugin, Role::producer, "producer/*/path:before=export-released").contains("version.filled"))
      << "what a struct of the other generation had is left";
}

// Calls the deleter of what it refuses, and then forgets it in the struct.
int import_that_clears_deleters(void* exported, int generation, void** array, const char** reason) {
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status != DLSPEC_OK) with_managed(exported_struct(exported, generation), [](auto& m) { m.deleter = nullptr; });
  return status;
}

TEST(NativeValues, AWriteToWhatARefusalReleasedIsFound) {
  const DlspecPlugin plugin = consumer(import_that_clears_deleters);
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/unknown-dtype"),
            Names{"managed.no-touch-after-delete"});
}

TEST(NativeValues, StridesOfAnotherShapeOfAsManyElementsAreFound) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    static std::int64_t extents[2], strides[2];
    abi::Tensor& tensor = m.dl_tensor;
    if (tensor.ndim != 2) return;
    if (tensor.shape[0] != extents[0] && tensor.shape[0] * tensor.shape[1] == extents[0] * extents[1]) {
      std::copy(strides, strides + 2, tensor.strides);
      return;
    }
    std::copy(tensor.shape, tensor.shape + 2, extents);
    std::copy(tensor.strides, tensor.strides + 2, strides);
  });
  EXPECT_TRUE(violated_rules(plugin, Role::producer, "producer/*/path:*before=other-alive*")
                  .contains("tensor.element-address"));
}

}  // namespace
}  // namespace dlspec::conformance
