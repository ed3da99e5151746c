// Faulty producers: dlspec's own with one alteration, each of which breaks the rule that it is about.
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

constexpr const char* plain_float = "producer/float32/c/versioned";

TEST(NativeProducers, ProducerFaultsAreNamed) {
  const auto rules = [](Alteration alter) { return violated_rules(producer(alter), Role::producer, plain_float); };
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

// The deleter of legacy structs alone throws, when all is released.
void (*own_deleter)(abi::v0::ManagedTensor*);

int make_legacy_throwing(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK || generation == DLSPEC_VERSIONED) return status;
  auto* const legacy = static_cast<abi::v0::ManagedTensor*>(*exported);
  own_deleter = legacy->deleter;
  legacy->deleter = [](abi::v0::ManagedTensor* self) {
    own_deleter(self);
    throw 1;  // of no type that anybody expects
  };
  return status;
}

TEST(NativeProducers, DeletersOfBothStructsMayThrowNothing) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_legacy_throwing;
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/c/callback"), Names{"managed.deleter-nothrow"});
}

// Every fourth float of a larger array, right elements: strides that are four times the compact ones.
void spread(Managed& managed) {
  static float memory[64];
  const auto* const packed = static_cast<const float*>(managed.dl_tensor.data);
  for (std::size_t i = 0; i < 12; ++i) memory[4 * i] = packed[i];
  managed.dl_tensor.data = memory;
  for (int axis = 0; axis < managed.dl_tensor.ndim; ++axis) managed.dl_tensor.strides[axis] *= 4;
}

TEST(NativeProducers, RightElementsAreNeverStridesInBytes) {
  EXPECT_EQ(violated_rules(producer(spread), Role::producer, plain_float), Names{});
}

TEST(NativeProducers, StridesInBytesSayNothingOfOtherExports) {
  const DlspecPlugin plugin = producer([](Managed& m) {
    for (int axis = 0; axis < m.dl_tensor.ndim; ++axis) m.dl_tensor.strides[axis] *= 4;
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float32/c/two-exports"), Names{});
}

// The elements stand in a page that may not be written, as constants of a program do.
void freeze(Managed& managed) {
  constexpr std::size_t size = 4096;
  static void* const page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(page, size, PROT_READ | PROT_WRITE);
  std::memcpy(page, managed.dl_tensor.data, 12 * sizeof(float));
  mprotect(page, size, PROT_READ);
  managed.dl_tensor.data = page;
}

TEST(NativeProducers, MemoryThatMayNotBeWrittenIsReadOnlyWhateverTheArrayWas) {
  EXPECT_EQ(violated_rules(producer(freeze), Role::producer, plain_float), Names{"flags.read-only-set"});
  const DlspecPlugin honest = producer([](Managed& managed) {
    freeze(managed);
    managed.flags |= flags::read_only;
  });
  EXPECT_EQ(violated_rules(honest, Role::producer, plain_float), Names{});
}

// Elements of six bits, the second and third of each four in each other's place.
TEST(NativeProducers, ElementsThatCrossTheBoundsOfBytesAreRead) {
  const DlspecPlugin plugin = producer([](Managed& managed) {
    if (managed.dl_tensor.dtype.bits == 6)
      std::swap(static_cast<char*>(managed.dl_tensor.data)[0], static_cast<char*>(managed.dl_tensor.data)[2]);
  });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float6_e3m2fn/rank1/versioned"),
            Names{"tensor.element-address"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/float6_e2m3fn/c/legacy"), Names{});
}

TEST(NativeProducers, ALeakingProducerIsFound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  const DlspecPlugin plugin = producer([](Managed& m) { m.deleter = [](Managed*) {}; });
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/consumed"), Names{"managed.owner-balanced"});
}

int make_and_leak(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  static std::vector<std::unique_ptr<char[]>> kept_blocks;  // still reachable: a leak checker has nothing to say
  kept_blocks.push_back(std::make_unique<char[]>(100));
  return builtin_plugin()->make(spec, generation, exported, reason);
}

TEST(NativeProducers, WhatAnExportOfBytesLeavesBehindIsItsOwn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator does not count";
#endif
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_and_leak;
  EXPECT_EQ(violated_rules(plugin, Role::producer, "producer/uint8/c/consumed"), Names{"managed.deleter-frees-self"});
}

TEST(NativeProducers, FormatsOfOneSizeAreToldApart) {
  const DlspecPlugin float8 = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLFloat8_e4m3; });
  EXPECT_EQ(violated_in(float8, Role::producer, "producer/float8_e4m3fn/c/fp8"), Names{"dtype.fp8-variants-distinct"});
  EXPECT_EQ(violated_in(float8, Role::producer, "producer/float8_e4m3fn/c/versioned"), Names{});
  const DlspecPlugin pairs = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLComplex; });
  EXPECT_EQ(violated_in(pairs, Role::producer, "producer/bcomplex32/c/complex32"),
            Names{"dtype.complex32-is-fp16-pair"});
  const DlspecPlugin bytes = producer([](Managed& m) { m.dl_tensor.dtype.code = kDLUInt; });
  EXPECT_EQ(violated_in(bytes, Role::producer, "producer/float8_e3m4/c/fp8"), Names{"dtype.truthful"});
  const DlspecPlugin wrong = producer([](Managed& m) { *static_cast<char*>(m.dl_tensor.data) ^= 1; });
  EXPECT_EQ(violated_in(wrong, Role::producer, "producer/float8_e3m4/c/fp8"), Names{"tensor.element-address"});
}

}  // namespace
}  // namespace dlspec::conformance
