// Faulty consumers: dlspec's own, which misreads or alters one thing in the struct or accepts one generation alone.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

int ignore_byte_offset(void* exported, int generation, void** array, const char** reason) {
  const bool known = generation == DLSPEC_LEGACY || static_cast<Managed*>(exported)->version.major == 1;
  if (known) managed_tensor(exported_struct(exported, generation)).byte_offset = 0;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

// Both generations by one name; flags and version only where there are any.
template <class Act>
void with_struct(void* exported, int generation, Act act) {
  Managed* const versioned = generation == DLSPEC_VERSIONED ? static_cast<Managed*>(exported) : nullptr;
  with_managed(exported_struct(exported, generation),
               [&](auto& managed) { act(managed.dl_tensor, managed.manager_ctx, versioned); });
}

using Change = void (*)(abi::Tensor&, void*& context, Managed*);
Change change;  // what the altered consumer does to the struct before it imports it

int import_changed(void* exported, int generation, void** array, const char** reason) {
  with_struct(exported, generation, change);
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

// The builtin consumer reads the struct when it imports it and again when contents are asked for, so
// that the change applies to both.
Names violated_by(Change applied, const std::string& id) {
  change = applied;
  Names violated = violated_in(consumer(import_changed), Role::consumer, id);
  violated.erase("tensor.metadata-not-mutated");  // how the change is made here
  return violated;
}

int refuse_without_context(void* exported, int generation, void** array, const char** reason) {
  bool orphan = false;
  with_struct(exported, generation, [&](abi::Tensor&, void*& context, Managed*) { orphan = context == nullptr; });
  if (!orphan) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (generation == DLSPEC_VERSIONED) static_cast<Managed*>(exported)->deleter(static_cast<Managed*>(exported));
  *reason = "nobody owns it";
  return DLSPEC_UNSUPPORTED;
}

int count_in_context(void* exported, int generation, void** array, const char** reason) {
  with_struct(exported, generation, [](abi::Tensor&, void*& context, Managed* managed) {
    const bool far = context != managed && reinterpret_cast<std::uintptr_t>(context) > 4096 &&
                     reinterpret_cast<std::uintptr_t>(context) % 2 == 0;
    if (managed != nullptr && far) ++*static_cast<unsigned char*>(context);
  });
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int look_before_the_struct(void* exported, int generation, void** array, const char** reason) {
  std::uint32_t major = 0;
  if (generation == DLSPEC_LEGACY) std::memcpy(&major, static_cast<const char*>(exported) - 32, sizeof major);
  if (major <= 1) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  call_deleter(exported_struct(exported, generation));
  *reason = "another major version";
  return DLSPEC_UNSUPPORTED;
}

int legacy_alone(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_LEGACY) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  call_deleter(exported_struct(exported, generation));
  *reason = "unknown struct";
  return DLSPEC_UNSUPPORTED;
}

int make_legacy_alone(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  *reason = "unknown struct";
  return generation == DLSPEC_LEGACY ? builtin_plugin()->make(spec, generation, exported, reason) : DLSPEC_UNSUPPORTED;
}

TEST(NativeConsumers, MisreadFieldsAreNamed) {
  const auto device_as_host = [](abi::Tensor& tensor, void*&, Managed*) {
    if (tensor.device.device_type < 90) tensor.device = {kDLCPU, 0};
  };
  const auto any_device = [](abi::Tensor& tensor, void*&, Managed*) { tensor.device = {kDLCPU, 0}; };
  const auto one_lane = [](abi::Tensor& tensor, void*&, Managed*) { tensor.dtype.lanes = 1; };
  const auto bytes_for_bool = [](abi::Tensor& tensor, void*&, Managed*) {
    if (tensor.dtype.code == kDLBool) tensor.dtype.bits = 8;
  };
  const auto no_flags = [](abi::Tensor&, void*&, Managed* managed) {
    if (managed != nullptr) managed->flags = 0;
  };
  const auto aligned = [](abi::Tensor& tensor, void*&, Managed*) {
    tensor.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(tensor.data) & ~std::uintptr_t{63});
  };
  const auto whole_elements = [](abi::Tensor& tensor, void*&, Managed*) { tensor.byte_offset &= ~std::uint64_t{3}; };
  const auto reversed = [](abi::Tensor& tensor, void*&, Managed* managed) {
    if (managed == nullptr && tensor.strides == nullptr) tensor.data = static_cast<char*>(tensor.data) + 4;
  };
  EXPECT_EQ(violated_by(device_as_host, "consumer/float32/c/device=extension"), Names{"device.extdev-private"});
  EXPECT_EQ(violated_by(device_as_host, "consumer/float32/offset/device=handle"), Names{"device.opaque-no-arithmetic"});
  EXPECT_EQ(violated_by(any_device, "consumer/float32/c/device=extension"), Names{});
  EXPECT_EQ(violated_by(any_device, "consumer/float32/offset/device=handle"), Names{});
  EXPECT_EQ(violated_by(one_lane, "consumer/float32x4/c/lanes"), Names{"dtype.lanes-unsupported-rejected"});
  EXPECT_EQ(violated_by(bytes_for_bool, "consumer/bool/c/bool-width"), Names{"dtype.bool-other-bits-rejected"});
  EXPECT_EQ(violated_by(no_flags, "consumer/int4/c/padded"), Names{"flags.padded-checked"});
  EXPECT_EQ(violated_by(no_flags, "consumer/int4/c/unknown-flags"), Names{"flags.unknown-bits-policy"});
  EXPECT_EQ(violated_by(aligned, "consumer/float32/c/misaligned"), Names{"tensor.data-alignment-not-assumed"});
  EXPECT_EQ(violated_by(whole_elements, "consumer/float64/c/byte_offset=odd"), Names{"tensor.byte-offset-unaligned"});
  EXPECT_EQ(violated_by(reversed, "consumer/float32/c/strides-null=legacy"), Names{"version.legacy-has-none"});
  EXPECT_EQ(violated_by(reversed, "consumer/float32/rank8/strides-null=legacy"),
            Names{"tensor.strides-null-means-rowmajor"})
      << "there nobody asks what legacy structs have";
}

TEST(NativeConsumers, TheStructIsTheProducers) {
  const auto rules = [](decltype(DlspecPlugin::import_tensor) import, const std::string& id) {
    return violated_in(consumer(import), Role::consumer, id);
  };
  EXPECT_EQ(rules(ignore_byte_offset, "consumer/float32/c/metadata"), Names{}) << "byte_offset is 0 before and after";
  change = [](abi::Tensor& tensor, void*&, Managed*) { tensor.strides = nullptr; };
  EXPECT_EQ(rules(import_changed, "consumer/float32/c/metadata"), Names{"tensor.metadata-not-mutated"});
  EXPECT_EQ(rules(refuse_without_context, "consumer/float32/c/manager_ctx=null"), Names{"managed.ctx-opaque"});
  EXPECT_EQ(rules(count_in_context, "consumer/float32/c/manager_ctx=memory"), Names{"managed.ctx-opaque"});
  EXPECT_EQ(rules(look_before_the_struct, "consumer/float32/c/legacy-neighbours"), Names{"version.legacy-has-none"});
  EXPECT_EQ(rules(legacy_alone, "consumer/float32/c/generations"), Names{"managed.legacy-deprecated"});
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_legacy_alone;
  EXPECT_EQ(violated_in(plugin, Role::producer, "producer/float32/c/generations"), Names{"managed.legacy-deprecated"});
}

// A legacy tensor is the library's from the first read on, and nobody's before.
struct Unread {
  void* array;
  bool is_legacy;
  bool is_read = false;
};

int import_unread(void* exported, int generation, void** array, const char** reason) {
  void* made = nullptr;
  const int status = builtin_plugin()->import_tensor(exported, generation, &made, reason);
  if (status == DLSPEC_OK) *array = new Unread{made, generation == DLSPEC_LEGACY};
  return status;
}

int read(void* array, void* bytes, std::size_t byte_count) {
  auto& unread = *static_cast<Unread*>(array);
  unread.is_read = true;
  return builtin_plugin()->contents(unread.array, bytes, byte_count);
}

void release_read(void* array) {
  const std::unique_ptr<Unread> unread(static_cast<Unread*>(array));
  if (unread->is_read || !unread->is_legacy) builtin_plugin()->release(unread->array);
}

TEST(NativeConsumers, WhatNobodyReadsIsReleasedToo) {
  DlspecPlugin plugin = consumer(import_unread);
  plugin.contents = read;
  plugin.release = release_read;
  plugin.exchange_api = nullptr;
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/legacy"), Names{});
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/many-imports"), Names{"managed.deleter-once"});
  EXPECT_EQ(violated_in(*builtin_plugin(), Role::consumer, "consumer/float32/c/many-imports"), Names{});
}

// What the library exported itself is released when it comes back: the elements of the array made last are shown.
std::set<void*> own_exports;
std::vector<std::uint8_t> made_last;
int home;  // the import of such an export

int make_known(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK || generation != DLSPEC_VERSIONED) return status;
  own_exports.insert(*exported);
  const auto* const bytes = static_cast<const std::uint8_t*>(spec->bytes);
  made_last.assign(bytes, bytes + spec->byte_count);
  return status;
}

int import_home(void* exported, int generation, void** array, const char** reason) {
  if (own_exports.erase(exported) == 0) return builtin_plugin()->import_tensor(exported, generation, array, reason);
  call_deleter(exported_struct(exported, generation));
  *array = &home;
  return DLSPEC_OK;
}

int contents_at_home(void* array, void* bytes, std::size_t byte_count) {
  if (array != &home) return builtin_plugin()->contents(array, bytes, byte_count);
  std::memcpy(bytes, made_last.data(), std::min(byte_count, made_last.size()));
  return DLSPEC_OK;
}

void release_home(void* array) {
  if (array != &home) builtin_plugin()->release(array);
}

TEST(NativeConsumers, TheirOwnExportsAreHeldToo) {
  DlspecPlugin plugin = consumer(import_home);
  plugin.make = make_known;
  plugin.contents = contents_at_home;
  plugin.release = release_home;
  plugin.exchange_api = nullptr;
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/same-memory"), Names{"tensor.element-address"});
  EXPECT_EQ(violated_in(*builtin_plugin(), Role::consumer, "consumer/float32/c/same-memory"), Names{});
}

// Imports of one view share the first one, counted; the tensors of the others are released at once.
struct SharedView {
  void* array;
  int count;
};
std::map<std::pair<const void*, std::int64_t>, SharedView> shared_views;  // by address and first stride

int import_shared(void* exported, int generation, void** array, const char** reason) {
  const abi::Tensor& tensor = exported_struct(exported, generation).tensor();
  const std::pair<const void*, std::int64_t> key{static_cast<const char*>(tensor.data) + tensor.byte_offset,
                                                 tensor.ndim > 0 && tensor.strides != nullptr ? tensor.strides[0] : 0};
  if (const auto found = shared_views.find(key); found != shared_views.end()) {
    ++found->second.count;
    *array = found->second.array;
    call_deleter(exported_struct(exported, generation));
    return DLSPEC_OK;
  }
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status == DLSPEC_OK) shared_views[key] = {*array, 1};
  return status;
}

void release_shared(void* array) {
  const auto found = std::find_if(shared_views.begin(), shared_views.end(),
                                  [array](const auto& each) { return each.second.array == array; });
  if (found == shared_views.end() || --found->second.count > 0) return;
  shared_views.erase(found);
  builtin_plugin()->release(array);
}

TEST(NativeConsumers, ThatShareTheImportOfAViewAreNotBlamed) {
  DlspecPlugin plugin = consumer(import_shared);
  plugin.release = release_shared;
  plugin.exchange_api = nullptr;
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/strided/path:before=same-alive"), Names{});
}

// Imports that are copies: the tensor is released before the import returns.
int import_copy(void* exported, int generation, void** array, const char** reason) {
  void* imported = nullptr;
  const int status = builtin_plugin()->import_tensor(exported, generation, &imported, reason);
  if (status != DLSPEC_OK) return status;
  const abi::Tensor& tensor = managed_tensor(exported_struct(exported, generation));
  std::size_t bits = std::size_t{tensor.dtype.bits} * tensor.dtype.lanes;
  for (int axis = 0; axis < tensor.ndim; ++axis) bits *= static_cast<std::size_t>(tensor.shape[axis]);
  auto copy = std::make_unique<std::vector<std::uint8_t>>((bits + 7) / 8);
  const int read = builtin_plugin()->contents(imported, copy->data(), copy->size());
  builtin_plugin()->release(imported);
  if (read != DLSPEC_OK) return read;
  *array = copy.release();
  return DLSPEC_OK;
}

int contents_of_copy(void* array, void* bytes, std::size_t byte_count) {
  const auto& copy = *static_cast<std::vector<std::uint8_t>*>(array);
  if (copy.size() != byte_count) return DLSPEC_ERROR;
  if (byte_count != 0) std::memcpy(bytes, copy.data(), byte_count);
  return DLSPEC_OK;
}

TEST(NativeConsumers, ThatCopyAtOnceAreNotBlamed) {
  DlspecPlugin plugin = consumer(import_copy);
  plugin.contents = contents_of_copy;
  plugin.release = [](void* array) { delete static_cast<std::vector<std::uint8_t>*>(array); };
  plugin.exchange_api = nullptr;
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "consumer/float32/*"), Names{});
}

}  // namespace
}  // namespace dlspec::conformance
