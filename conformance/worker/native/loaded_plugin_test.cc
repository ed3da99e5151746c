// Tables of plug-ins that are refused, with the sentence that says why, and tables of older plug-ins that are taken.
#include <dlspec/conformance/worker/native/loaded_plugin.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <string>

#include <dlspec/conformance/worker/native/builtin.h>

namespace dlspec::conformance {
namespace {

TEST(LoadPlugin, SaysWhatIsWrong) {
  const LoadedPlugin missing = load_plugin("/nowhere/libmissing.so");
  EXPECT_FALSE(missing.table);
  EXPECT_NE(missing.message.find("does not load"), std::string::npos);

  const std::string truncated = testing::TempDir() + "truncated.so";
  std::ofstream(truncated, std::ios::binary) << "\177ELF\2\1\1";
  EXPECT_NE(load_plugin(truncated).message.find("does not load"), std::string::npos);

  EXPECT_NE(load_plugin("libm.so.6").message.find("exports no function dlspec_plugin"), std::string::npos);
  EXPECT_NE(take_table(nullptr).message.find("returned NULL"), std::string::npos);
}

TEST(LoadPlugin, TakesTablesThatWereCompiledBeforeThereWereBridges) {
  DlspecPlugin old = *builtin_plugin();
  old.table_size = offsetof(DlspecPlugin, bridge);
  old.bridge = reinterpret_cast<const DlspecBridge*>(8);  // what follows the table is not its own
  const LoadedPlugin loaded = take_table(&old);
  ASSERT_TRUE(loaded.table) << loaded.message;
  EXPECT_EQ(loaded.table->release, old.release);
  EXPECT_EQ(loaded.table->bridge, nullptr);
  old.bridge = builtin_plugin()->bridge;
  old.exchange_api = reinterpret_cast<const void*>(~std::uintptr_t{0});
  old.table_size = offsetof(DlspecPlugin, exchange_api) + 2;  // no member ends there: a part of one is none
  ASSERT_TRUE(take_table(&old).table);
  EXPECT_EQ(take_table(&old).table->exchange_api, nullptr);
  old.table_size = offsetof(DlspecPlugin, bridge) - 1;
  EXPECT_NE(take_table(&old).message.find("set table_size"), std::string::npos);
}

TEST(LoadPlugin, WantsWholeRoles) {
  const auto complaint = [](void (*spoil)(DlspecPlugin&, DlspecBridge&)) {
    DlspecBridge bridge = *builtin_plugin()->bridge;
    DlspecPlugin plugin = *builtin_plugin();
    plugin.bridge = &bridge;
    spoil(plugin, bridge);
    return take_table(&plugin).message;
  };
  EXPECT_EQ(complaint([](DlspecPlugin&, DlspecBridge&) {}), "");
  EXPECT_EQ(complaint([](DlspecPlugin& plugin, DlspecBridge&) { plugin.make = nullptr; }), "");
  EXPECT_EQ(complaint([](DlspecPlugin& plugin, DlspecBridge&) {
              plugin = {DLSPEC_PLUGIN_VERSION, sizeof plugin, "a", "1", nullptr, nullptr, nullptr, nullptr,
                        plugin.bridge,         nullptr};
            }),
            "");
  const auto complains = [&](void (*spoil)(DlspecPlugin&, DlspecBridge&), const char* words) {
    EXPECT_NE(complaint(spoil).find(words), std::string::npos) << complaint(spoil);
  };
  complains([](DlspecPlugin& plugin, DlspecBridge&) { plugin.release = nullptr; }, "all three of them");
  EXPECT_EQ(complaint([](DlspecPlugin&, DlspecBridge& bridge) { bridge.from_dlpack = nullptr; }), "");
  EXPECT_EQ(complaint([](DlspecPlugin&, DlspecBridge& bridge) { bridge.to_dlpack = nullptr; }), "");
  complains([](DlspecPlugin&, DlspecBridge& bridge) { bridge.describe = nullptr; }, "describe, destroy and rearrange");
  complains([](DlspecPlugin&, DlspecBridge& bridge) { bridge.destroy = nullptr; }, "describe, destroy and rearrange");
  complains([](DlspecPlugin&, DlspecBridge& bridge) { bridge.rearrange = nullptr; }, "describe, destroy and rearrange");
  complains([](DlspecPlugin&, DlspecBridge& bridge) { --bridge.table_size; }, "the table of its bridge has");
  complains(
      [](DlspecPlugin& plugin, DlspecBridge&) {
        plugin = {DLSPEC_PLUGIN_VERSION, sizeof plugin, "a", "1", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
      },
      "at least one role");
}

}  // namespace
}  // namespace dlspec::conformance
