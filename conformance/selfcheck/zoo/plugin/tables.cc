// Plug-ins with an exchange table, each with one fault: dlspec's own, with one function of its table put in place of
// the right one. Faults that a table of Python types can have, too, stand in exchange_tables.cc.
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/flags.h>

#include "imports.h"
#include "tables.h"

namespace dlspec::zoo {
namespace {

using Api = abi::v1::ExchangeApi;
using Managed = abi::v1::ManagedTensor;
using conformance::BuiltinImport;
using SetError = void (*)(void*, const char*, const char*);

const Api& right() { return conformance::builtin_exchange_api; }

// The one table of this process, so that its faults can be named by functions without a context.
Api table;

Api& put_into(DlspecPlugin& plugin) {
  const char* const name = plugin.name;
  plugin = own();
  plugin.name = name;
  plugin.bridge = nullptr;
  table = right();
  plugin.exchange_api = &table;
  return table;
}

template <void spoil(Api& api)>
void with(DlspecPlugin& plugin) {
  spoil(put_into(plugin));
}

// --- exports

std::vector<Managed*> kept;  // still reachable, so that a leak checker has nothing to say

int export_one_for_all(void* object, Managed** out) {
  static void* of = nullptr;
  static Managed* one = nullptr;
  if (object != of) {
    if (right().managed_tensor_from_py_object_no_sync(object, &one) != 0) return -1;
    static_cast<BuiltinImport*>(object)->hold();  // no other object gets its address
  }
  of = object;
  *out = one;
  return 0;
}

int export_for_ever(void* object, Managed** out) {
  Managed* second = nullptr;
  if (right().managed_tensor_from_py_object_no_sync(object, &second) == 0) kept.push_back(second);
  return right().managed_tensor_from_py_object_no_sync(object, out);
}

int export_without_flags(void* object, Managed** out) {
  const int status = right().managed_tensor_from_py_object_no_sync(object, out);
  if (status == 0) (*out)->flags = 0;
  return status;
}

int export_copies_writable(void* object, Managed** out) {
  const int status = right().managed_tensor_from_py_object_no_sync(object, out);
  const Exported& taken = static_cast<BuiltinImport*>(object)->exported;
  const bool is_copy = taken.generation() == Generation::versioned && (taken.versioned().flags & flags::is_copied) != 0;
  if (status == 0 && is_copy) (*out)->flags &= ~flags::read_only;
  return status;
}

int export_packed(void* object, Managed** out) {
  const int status = right().managed_tensor_from_py_object_no_sync(object, out);
  if (status == 0) (*out)->flags &= ~flags::subbyte_padded;
  return status;
}

int export_and_change(void* object, Managed** out) {
  table.header.version.minor ^= 1;  // 1.2 and 1.3 in turns
  return right().managed_tensor_from_py_object_no_sync(object, out);
}

decltype(Managed::deleter) own_deleter = nullptr;  // of what the table exported

int export_and_remember(void* object, Managed** out) {
  const int status = right().managed_tensor_from_py_object_no_sync(object, out);
  if (status == 0) own_deleter = (*out)->deleter;
  return status;
}

// --- imports

int import_own_writable(Managed* tensor, void** out) {
  if (tensor->deleter == own_deleter) tensor->flags &= ~flags::read_only;
  return right().managed_tensor_to_py_object_no_sync(tensor, out);
}

int import_for_ever(Managed* tensor, void** out) {
  const int status = right().managed_tensor_to_py_object_no_sync(tensor, out);
  if (status == 0) static_cast<BuiltinImport*>(*out)->hold();
  return status;
}

int import_and_release(Managed* tensor, void** out) {
  const int status = right().managed_tensor_to_py_object_no_sync(tensor, out);
  if (status != 0 && tensor->deleter != nullptr) tensor->deleter(tensor);
  return status;
}

int import_from_data(Managed* tensor, void** out) {
  const int status = right().managed_tensor_to_py_object_no_sync(tensor, out);
  if (status == 0) tensor->dl_tensor.byte_offset = 0;
  return status;
}

// --- the allocator

int allocate_read_only(abi::Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = right().managed_tensor_allocator(prototype, out, context, set_error);
  if (status == 0) (*out)->flags |= flags::read_only;
  return status;
}

int allocate_elsewhere(abi::Tensor* prototype, Managed** out, void* context, SetError set_error) {
  abi::Tensor asked = *prototype;
  asked.device = {1, 0};
  return right().managed_tensor_allocator(&asked, out, context, set_error);
}

constexpr FaultyPlugin rows[] = {
    {"table", with<[](Api&) {}>},
    {"table of 1.0", with<[](Api& api) { api.header.version = {1, 0}; }>},
    {"table before itself", with<[](Api& api) { api.header.prev_api = &api.header; }>},
    {"table rewritten", with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_and_change; }>},
    {"table with one export", with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_one_for_all; }>},
    {"table that keeps exports", with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_for_ever; }>},
    {"table without flags", with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_without_flags; }>},
    {"table of writable copies",
     with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_copies_writable; }>},
    {"table that forgets padding", with<[](Api& api) { api.managed_tensor_from_py_object_no_sync = export_packed; }>},
    {"table that unwraps what comes back", with<[](Api& api) {
       api.managed_tensor_from_py_object_no_sync = export_and_remember;
       api.managed_tensor_to_py_object_no_sync = import_own_writable;
     }>},
    {"table that keeps imports", with<[](Api& api) { api.managed_tensor_to_py_object_no_sync = import_for_ever; }>},
    {"table that releases what it refuses",
     with<[](Api& api) { api.managed_tensor_to_py_object_no_sync = import_and_release; }>},
    {"table that forgets byte_offset",
     with<[](Api& api) { api.managed_tensor_to_py_object_no_sync = import_from_data; }>},
    {"table of read-only tensors", with<[](Api& api) { api.managed_tensor_allocator = allocate_read_only; }>},
    {"table of host memory", with<[](Api& api) { api.managed_tensor_allocator = allocate_elsewhere; }>},
};

constexpr std::string_view spoilt = "table: ";

}  // namespace

std::span<const FaultyPlugin> plugins_with_tables() { return rows; }

bool spoil_table(std::string_view name, DlspecPlugin& plugin) {
  if (!name.starts_with(spoilt)) return false;
  return dlspec_zoo_spoil_table(&put_into(plugin), std::string(name.substr(spoilt.size())).c_str()) != 0;
}

}  // namespace dlspec::zoo
