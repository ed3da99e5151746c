// Plug-ins that offer an exchange table in the place of make and import: they are judged like those that have both.
#include <dlspec/conformance/worker/native/plugin_table.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {
namespace {

using Api = abi::v1::ExchangeApi;

Api own() { return *static_cast<const Api*>(builtin_plugin()->exchange_api); }

TEST(PluginTable, StandsForMakeAndImport) {
  const DlspecPlugin plugin = by_table();
  ASSERT_NE(plugin.make, nullptr);
  ASSERT_NE(plugin.import_tensor, nullptr);
  for (const Role role : {Role::producer, Role::consumer}) {
    EXPECT_EQ(violated_rules(plugin, role, "*/float32/*/versioned"), Names{});
    EXPECT_EQ(violated_rules(plugin, role, "*/unknown-dtype"), Names{});
    EXPECT_EQ(violated_rules(plugin, role, "*/major=2"), Names{});
    EXPECT_EQ(violated_rules(plugin, role, "*/sequence=*"), Names{});
  }
}

TEST(PluginTable, FaultsOfItsExportsAreFound) {
  static Api faulty = own();
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) (*out)->dl_tensor.strides = nullptr;
    return status;
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/versioned"),
            Names{"tensor.strides-not-null"});
}

TEST(PluginTable, FaultsOfItsImportsAreFound) {
  static Api faulty = own();
  faulty.managed_tensor_to_py_object_no_sync = [](Managed* tensor, void** out) {
    const int status = own().managed_tensor_to_py_object_no_sync(tensor, out);
    if (status == 0) static_cast<BuiltinImport*>(*out)->hold();  // never released
    return status;
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::consumer, "consumer/float32/c/versioned"),
            Names{"managed.deleter-once"});
}

// Copies what it imports, as a library may whose arrays are all its own.
int import_a_copy(Managed* tensor, void** out) {
  Managed* copy = nullptr;
  const auto ignore = [](void*, const char*, const char*) {};
  if (own().managed_tensor_allocator(&tensor->dl_tensor, &copy, nullptr, ignore) != 0) return -1;
  std::vector<std::uint8_t> bytes;
  const bool padded = (tensor->flags & flags::subbyte_padded) != 0;
  if (reference::gather(tensor->dl_tensor, padded, bytes, 1 << 20) != Status::ok ||
      own().managed_tensor_to_py_object_no_sync(copy, out) != 0) {
    copy->deleter(copy);
    return -1;
  }
  if (!bytes.empty()) std::copy(bytes.begin(), bytes.end(), static_cast<std::uint8_t*>(copy->dl_tensor.data));
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
  return 0;
}

TEST(PluginTable, WhoCopiesIsNotBlamed) {
  static Api copying = own();
  copying.managed_tensor_to_py_object_no_sync = import_a_copy;
  const DlspecPlugin plugin = by_table(copying);
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float32/*/versioned"), Names{});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/read-only"), Names{});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/table*"), Names{});
}

TEST(PluginTable, IsJudgedBesideMakeAndImport) {
  EXPECT_EQ(violated_rules(*builtin_plugin(), Role::producer, "*/table*"), Names{});
  EXPECT_EQ(violated_rules(*builtin_plugin(), Role::consumer, "*/table-*"), Names{});
  static Api faulty = own();
  faulty.managed_tensor_allocator = [](abi::Tensor*, Managed**, void*, void (*)(void*, const char*, const char*)) {
    return -1;
  };
  DlspecPlugin plugin = *builtin_plugin();
  plugin.exchange_api = &faulty;
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/table*"), Names{"exchange.alloc-seterror-iff"});
  plugin.exchange_api = nullptr;
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/table*"), Names{});
}

decltype(Managed::deleter) own_deleter = nullptr;  // of what the table exports

// The strides of whichever object lent last, or last but one.
TEST(PluginTable, StridesOfFewListsForAllObjectsAreFound) {
  static Api faulty = own();
  static std::int64_t scratch[2][64];
  static int lists, loans;
  faulty.dltensor_from_py_object_no_sync = [](void* object, abi::Tensor* out) {
    const int status = own().dltensor_from_py_object_no_sync(object, out);
    if (status != 0 || out->strides == nullptr) return status;
    std::int64_t* const list = scratch[loans++ % lists];
    std::copy(out->strides, out->strides + out->ndim, list);
    out->strides = list;
    return status;
  };
  for (lists = 1; lists <= 2; ++lists) {
    EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/table-borrow-many"),
              Names{"exchange.dltensor-no-temp-alloc"});
  }
}

TEST(PluginTable, AnAllocatorThatMindsAnOddByteOffsetIsFound) {
  static Api faulty = own();
  faulty.managed_tensor_allocator = [](abi::Tensor* prototype, Managed** out, void* context,
                                       void (*set_error)(void*, const char*, const char*)) {
    if (prototype->byte_offset % 4 == 0) return own().managed_tensor_allocator(prototype, out, context, set_error);
    set_error(context, "BufferError", "misaligned");
    return -1;
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/table-allocator=poisoned"),
            Names{"exchange.alloc-prototype-fields"});
}

TEST(PluginTable, ASecondExportThatLosesAFlagIsFound) {
  static Api faulty = own();
  static std::map<void*, int> exports;
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0 && exports[object]++ > 0) (*out)->flags = 0;
    return status;
  };
  EXPECT_EQ(violated_in(by_table(faulty), Role::producer, "producer/float32/c/table-onward"),
            Names{"flags.read-only-propagated"});
}

TEST(PluginTable, WhatIsMisalignedIsImportedThroughTheTableToo) {
  static Api faulty = own();
  faulty.managed_tensor_to_py_object_no_sync = [](Managed* tensor, void** out) {
    const bool is_odd = reinterpret_cast<std::uintptr_t>(tensor->dl_tensor.data) % 4 != 0;
    const int status = own().managed_tensor_to_py_object_no_sync(tensor, out);
    if (status == 0 && is_odd) tensor->deleter(tensor);  // copied at once, and released again with the object
    return status;
  };
  EXPECT_TRUE(violated_in(by_table(faulty), Role::consumer, "consumer/float32/c/table-misaligned")
                  .contains("managed.deleter-once"));
}

// All exports of an object that live at once are one struct, which counts them.
struct Shared {
  Managed* made;
  decltype(Managed::deleter) last_release;
  int count;
};
std::map<void*, Shared> shared_exports;

void release_one(Managed* made) {
  const auto found = std::find_if(shared_exports.begin(), shared_exports.end(),
                                  [&](const auto& each) { return each.second.made == made; });
  if (found == shared_exports.end() || --found->second.count > 0) return;
  const auto last_release = found->second.last_release;
  shared_exports.erase(found);
  last_release(made);
}

TEST(PluginTable, OneStructThatCountsItsExportsIsNotBlamed) {
  static Api counting = own();
  counting.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    if (const auto found = shared_exports.find(object); found != shared_exports.end()) {
      ++found->second.count;
      *out = found->second.made;
      return 0;
    }
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) shared_exports[object] = {*out, std::exchange((*out)->deleter, release_one), 1};
    return status;
  };
  EXPECT_EQ(violated_rules(by_table(counting), Role::producer, "producer/float32/c/table-owned"), Names{});
}

// Repeated elements go out as a copy, without a word of it.
TEST(PluginTable, CopiesThatDoNotSaySoAreFound) {
  static Api faulty = own();
  static std::deque<std::vector<std::uint8_t>> copies;
  static std::int64_t row_major[] = {4, 1};
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    abi::Tensor& tensor = (*out)->dl_tensor;
    if (status != 0 || tensor.ndim != 2 || tensor.strides[0] != 0) return status;
    copies.emplace_back();
    if (reference::gather(tensor, false, copies.back(), 48) != Status::ok) return -1;
    tensor.data = copies.back().data();
    tensor.byte_offset = 0;
    tensor.strides = row_major;
    return 0;
  };
  EXPECT_TRUE(violated_rules(by_table(faulty), Role::producer, "producer/float32/broadcast/table-export")
                  .contains("exchange.flags-still-apply"));
}

TEST(PluginTable, ALoanThatKeepsItsObjectIsFound) {
  static Api faulty = own();
  faulty.dltensor_from_py_object_no_sync = [](void* object, abi::Tensor* out) {
    Managed* kept = nullptr;
    (void)own().managed_tensor_from_py_object_no_sync(object, &kept);
    return own().dltensor_from_py_object_no_sync(object, out);
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/table-borrow-many"),
            Names{"exchange.dltensor-no-temp-alloc"});
}

TEST(PluginTable, AChainOfImportsThatIsNotReleasedIsFound) {
  static Api faulty = own();
  faulty.managed_tensor_to_py_object_no_sync = [](Managed* tensor, void** out) {
    static int in_a_row = 0;
    in_a_row = tensor->deleter == own_deleter ? in_a_row + 1 : 0;
    const int status = own().managed_tensor_to_py_object_no_sync(tensor, out);
    Managed* kept = nullptr;
    if (status == 0 && in_a_row == 2) (void)own().managed_tensor_from_py_object_no_sync(*out, &kept);
    return status;
  };
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = own().managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) own_deleter = (*out)->deleter;
    return status;
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/table-owned"),
            Names{"exchange.from-owning"});
}

TEST(PluginTable, AScalarWithTheOffsetOfItsPrototypeIsFound) {
  static Api faulty = own();
  faulty.managed_tensor_allocator = [](abi::Tensor* prototype, Managed** out, void* context,
                                       void (*set_error)(void*, const char*, const char*)) {
    const int status = own().managed_tensor_allocator(prototype, out, context, set_error);
    if (status == 0 && prototype->ndim == 0) (*out)->dl_tensor.byte_offset = prototype->byte_offset;
    return status;
  };
  EXPECT_EQ(violated_rules(by_table(faulty), Role::producer, "producer/float32/c/table-allocator=poisoned"),
            Names{"exchange.alloc-prototype-fields"});
}

// What a function does against the conventions does not end the worker.
TEST(PluginTable, ExceptionsAreCaught) {
  static Api faulty = own();
  faulty.managed_tensor_to_py_object_no_sync = [](Managed*, void**) -> int { throw std::runtime_error("no"); };
  const DlspecPlugin plugin = by_table(faulty);
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/table-import"), Names{"exchange.no-cpp-exceptions"});
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/float32/c/versioned"), Names{});
  faulty.managed_tensor_to_py_object_no_sync = [](Managed*, void**) { return 7; };
  EXPECT_EQ(violated_rules(plugin, Role::producer, "*/table-import"), Names{"exchange.return-int"});
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
