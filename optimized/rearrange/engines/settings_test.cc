#include <dlspec/optimized/rearrange/engines/settings.h>

#include <gtest/gtest.h>

#include <dlspec/optimized/rearrange/engines/threads.h>

namespace dlspec::optimized {
namespace {

TEST(Settings, NothingSetIsTheDefault) {
  for (const char* const unset : {static_cast<const char*>(nullptr), ""}) {
    const Settings read = settings_from(unset, unset);
    EXPECT_EQ(read.engine, &best_engine(""));
    EXPECT_GE(read.threads, 1);
    EXPECT_FALSE(read.is_isa_ignored);
    EXPECT_FALSE(read.are_threads_ignored);
  }
}

TEST(Settings, EveryEngineCanBeNamed) {
  for (const Engine& engine : engines()) {
    const Settings read = settings_from(engine.name, "3");
    EXPECT_EQ(read.engine, &best_engine(engine.name));
    EXPECT_EQ(read.threads, 3);
    EXPECT_FALSE(read.is_isa_ignored || read.are_threads_ignored) << engine.name;
  }
}

TEST(Settings, WhatIsNotUnderstoodIsIgnoredAndSaidSo) {
  const Settings unset = settings_from(nullptr, nullptr);
  for (const char* const wrong : {"AVX2", "avx-512", "mmx", " scalar", "0"}) {
    const Settings read = settings_from(wrong, nullptr);
    EXPECT_TRUE(read.is_isa_ignored) << wrong;
    EXPECT_EQ(read.engine, unset.engine) << wrong;
  }
  for (const char* const wrong : {"0", "-1", "257", "2x", "many", "99999999999999999999"}) {
    const Settings read = settings_from(nullptr, wrong);
    EXPECT_TRUE(read.are_threads_ignored) << wrong;
    EXPECT_EQ(read.threads, unset.threads) << wrong;
  }
}

TEST(Settings, CachesCanBeNamed) {
  const Settings read = settings_from(nullptr, nullptr, "l2=512K");
  EXPECT_EQ(read.machine.l2, 512 << 10);
  EXPECT_EQ(read.machine.l1, detected_machine().l1);
  EXPECT_FALSE(read.is_machine_ignored);
  const Settings wrong = settings_from(nullptr, nullptr, "l2=512 KiB");
  EXPECT_EQ(wrong.machine.l2, detected_machine().l2);
  EXPECT_TRUE(wrong.is_machine_ignored);
}

// A machine of two processors sees the whole L3 of the host.
TEST(Settings, AnL3IsShared) {
  constexpr std::int64_t mib = 1 << 20;
  EXPECT_EQ(share_of_l3(32 * mib, 2, Core::sapphire_rapids), 12 * mib);
  EXPECT_EQ(share_of_l3(32 * mib, 16, Core::sapphire_rapids), 12 * mib);
  EXPECT_EQ(share_of_l3(260 * mib, 2, Core::sapphire_rapids), 16 * mib);
  EXPECT_EQ(share_of_l3(260 * mib, 48, Core::sapphire_rapids), 260 * mib / 8 * 3);
  EXPECT_EQ(share_of_l3(480 * mib, 2, Core::granite_rapids), 96 * mib);
  EXPECT_EQ(share_of_l3(32 * mib, 2, Core::zen5), 16 * mib);
}

TEST(Settings, OfThisProcessAreWhatPlansUse) {
  EXPECT_EQ(settings().engine, &default_engine());
  EXPECT_EQ(settings().threads, default_threads());
}

}  // namespace
}  // namespace dlspec::optimized
