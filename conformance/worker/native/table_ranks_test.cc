// Exchange tables of plug-ins that break a rule at one rank, of read-only tensors or behind a call that failed.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using Api = abi::v1::ExchangeApi;

Names violated_with(const Api& table, const std::string& variant) {
  DlspecPlugin plugin = *builtin_plugin();
  plugin.exchange_api = &table;
  return violated_in(plugin, Role::producer, "producer/float32/c/" + variant);
}

// The rank at which the functions below deviate, or any.
int faulty_rank;
bool is_faulty(const abi::Tensor& tensor) { return tensor.ndim == faulty_rank; }

void expect_found_at_each_rank(const Api& faulty, const std::string& variant, const char* rule) {
  for (const int rank : {1, 5, 9, 33}) {
    faulty_rank = rank;
    EXPECT_EQ(violated_with(faulty, variant), Names{rule}) << rank;
  }
}

// Puts the extents into a list for all tensors.
void share_shape(abi::Tensor& tensor) {
  static std::int64_t shared[64];
  if (!is_faulty(tensor)) return;
  std::copy(tensor.shape, tensor.shape + tensor.ndim, shared);
  tensor.shape = shared;
}

TEST(TableRanks, OneListOfExtentsForAllLoansOfARankIsFound) {
  static Api faulty = builtin_exchange_api;
  faulty.dltensor_from_py_object_no_sync = [](void* object, abi::Tensor* out) {
    const int status = builtin_exchange_api.dltensor_from_py_object_no_sync(object, out);
    if (status == 0) share_shape(*out);
    return status;
  };
  expect_found_at_each_rank(faulty, "table-borrow-many", "exchange.dltensor-no-temp-alloc");
}

TEST(TableRanks, OneListOfExtentsForAllExportsOfARankIsFound) {
  static Api faulty = builtin_exchange_api;
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = builtin_exchange_api.managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0) share_shape((*out)->dl_tensor);
    return status;
  };
  expect_found_at_each_rank(faulty, "table-owned", "exchange.from-owning");
}

TEST(TableRanks, AnAllocatorThatKeepsTheExtentsOfThePrototypeIsFound) {
  static Api faulty = builtin_exchange_api;
  faulty.managed_tensor_allocator = [](abi::Tensor* prototype, Managed** out, void* context,
                                       void (*set_error)(void*, const char*, const char*)) {
    const int status = builtin_exchange_api.managed_tensor_allocator(prototype, out, context, set_error);
    if (status == 0 && is_faulty(*prototype)) (*out)->dl_tensor.shape = prototype->shape;
    return status;
  };
  expect_found_at_each_rank(faulty, "table-allocator", "exchange.alloc-result");
}

// Two exports of a scalar are one struct, which the first release ends.
TEST(TableRanks, OneStructForTheExportsOfAScalarIsFound) {
  static Api faulty = builtin_exchange_api;
  static std::map<void*, Managed*> living;
  static decltype(Managed::deleter) last_release;
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    if (living.contains(object)) return *out = living[object], 0;
    const int status = builtin_exchange_api.managed_tensor_from_py_object_no_sync(object, out);
    if (status != 0 || (*out)->dl_tensor.ndim != 0) return status;
    last_release = std::exchange((*out)->deleter, [](Managed* self) {
      if (std::erase_if(living, [self](const auto& each) { return each.second == self; }) > 0) last_release(self);
    });
    living[object] = *out;
    return status;
  };
  EXPECT_EQ(violated_with(faulty, "table-owned"), Names{"exchange.from-owning"});
}

// The deleter of an export that holds nothing.
void delete_alone(Managed*) {}

TEST(TableRanks, AnExportThatDoesNotHoldAReadOnlyTensorIsFound) {
  static Api faulty = builtin_exchange_api;
  faulty.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = builtin_exchange_api.managed_tensor_from_py_object_no_sync(object, out);
    if (status == 0 && ((*out)->flags & flags::read_only) != 0) {
      static_cast<BuiltinImport*>(object)->drop();
      (*out)->deleter = delete_alone;
    }
    return status;
  };
  EXPECT_TRUE(violated_with(faulty, "table-owned").contains("exchange.from-owning"));
}

TEST(TableRanks, AnErrorOfAnotherDeviceThatTheHostGetsIsInformation) {
  static Api faulty = builtin_exchange_api;
  faulty.current_work_stream = [](std::int32_t device_type, std::int32_t device_id, void** out) {
    static bool has_failed = false;
    const bool failed_before = has_failed;
    const int status = builtin_exchange_api.current_work_stream(device_type, device_id, out);
    has_failed = status != 0;
    return failed_before ? -1 : status;
  };
  EXPECT_EQ(violated_with(faulty, "table-stream=unknown-device"), Names{"exchange.stream-cpu"});
}

// What a table imports it need not export: then nobody sees its elements.
TEST(TableRanks, ImportsThatATableDoesNotExportAreNotMisread) {
  static Api sparing = builtin_exchange_api;
  sparing.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    const int status = builtin_exchange_api.managed_tensor_from_py_object_no_sync(object, out);
    if (status != 0 || (*out)->dl_tensor.ndim == 0 || (*out)->dl_tensor.strides[0] >= 0) return status;
    (*out)->deleter(*out);
    return -1;
  };
  const DlspecPlugin whole = by_table(sparing);
  for (const char* id : {"consumer/float32/negative/versioned", "consumer/float32/negative/path:place=byte_offset"})
    EXPECT_EQ(violated_rules(whole, Role::consumer, id), Names{}) << id;
}

TEST(TableRanks, DlspecsOwnTableBreaksNothing) {
  for (const char* variant :
       {"table-borrow-many", "table-owned", "table-allocator", "table-stream=unknown-device", "table-stream"})
    EXPECT_EQ(violated_with(builtin_exchange_api, variant), Names{}) << variant;
}

}  // namespace
}  // namespace dlspec::conformance
