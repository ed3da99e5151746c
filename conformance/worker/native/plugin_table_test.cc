// Plug-ins that offer an exchange table in the place of make and import: they are judged like those that have both.
#include <dlspec/conformance/worker/native/plugin_table.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>

namespace dlspec::conformance {
namespace {

using Api = abi::v1::ExchangeApi;

// dlspec's own plug-in by its table alone.
DlspecPlugin by_table(const Api& api = *static_cast<const Api*>(builtin_plugin()->exchange_api)) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = nullptr;
  plugin.import_tensor = nullptr;
  plugin.contents = nullptr;
  plugin.bridge = nullptr;
  plugin.exchange_api = &api;
  return take_table(&plugin).table.value_or(DlspecPlugin{});
}

Api own() { return *static_cast<const Api*>(builtin_plugin()->exchange_api); }

TEST(PluginTable, StandsForMakeAndImport) {
  const DlspecPlugin plugin = by_table();
  ASSERT_NE(plugin.make, nullptr);
  ASSERT_NE(plugin.import_tensor, nullptr);
  for (const Role role : {Role::producer, Role::consumer}) {
    EXPECT_EQ(broken_rules(plugin, role, "*/float32/*/versioned"), Names{});
    EXPECT_EQ(broken_rules(plugin, role, "*/unknown-dtype"), Names{});
    EXPECT_EQ(broken_rules(plugin, role, "*/major=2"), Names{});
    EXPECT_EQ(broken_rules(plugin, role, "*/sequence=*"), Names{});
  }
}

TEST(PluginTable, FaultsOfItsExportsAreFound) {
  static Api faulty = own();
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) (*out)->dl_tensor.strides = nullptr;
    return status;
  };
  EXPECT_EQ(broken_rules(by_table(faulty), Role::producer, "producer/float32/c/versioned"),
            Names{"tensor.strides-not-null"});
}

TEST(PluginTable, FaultsOfItsImportsAreFound) {
  static Api faulty = own();
  faulty.managed_tensor_to_py_object_no_sync = [](Managed* tensor, void** out) {
    const int status = own().managed_tensor_to_py_object_no_sync(tensor, out);
    if (status == 0) static_cast<BuiltinImport*>(*out)->hold();  // never released
    return status;
  };
  EXPECT_EQ(broken_rules(by_table(faulty), Role::consumer, "consumer/float32/c/versioned"),
            Names{"managed.deleter-once"});
}

TEST(PluginTable, AnOlderTableOfAKnownMajorIsUsed) {
  static Api old = own();
  static Api newer{{{abi::newest_version.major + 1, 0}, &old.header}, nullptr, nullptr, nullptr, nullptr, nullptr};
  DlspecPlugin plugin = *builtin_plugin();
  plugin.exchange_api = &newer;
  EXPECT_EQ(exchange_table_of(plugin), &old);
  newer.header.prev_api = nullptr;
  EXPECT_EQ(exchange_table_of(plugin), nullptr);
}

TEST(PluginTable, ObjectsAreGivenUpByRelease) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = nullptr;
  plugin.import_tensor = nullptr;
  plugin.contents = nullptr;
  plugin.release = nullptr;
  plugin.bridge = nullptr;
  EXPECT_NE(take_table(&plugin).message.find("an exchange table needs release"), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
