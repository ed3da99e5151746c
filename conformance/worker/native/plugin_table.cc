#include <dlspec/conformance/worker/native/plugin_table.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {
namespace {

using Api = abi::v1::ExchangeApi;
using Managed = abi::v1::ManagedTensor;

constexpr int longest_chain = 16;

// Of the one plug-in of this process that is used through its table.
struct ByTable {
  const Api* api = nullptr;
  void (*release)(void* array) = nullptr;
};
ByTable used;

int refuse(const char** reason, const char* why) {
  *reason = why;
  return DLSPEC_UNSUPPORTED;
}

bool import_object(Managed* tensor, void** object) {
  return table_call("managed_tensor_to_py_object_no_sync",
                    [&] { return used.api->managed_tensor_to_py_object_no_sync(tensor, object); });
}

// dlspec's own tensor as it was ordered becomes an object of the library, which exports it.
int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (generation != DLSPEC_VERSIONED) return refuse(reason, "an exchange table gives versioned structs only");
  const TableArray array(*spec, reason);
  if (!array.made()) return DLSPEC_UNSUPPORTED;
  Managed* const made = array.exported();
  if (made == nullptr) return refuse(reason, "managed_tensor_from_py_object_no_sync refuses it");
  // Whoever copies what it imports may write to the copy: no array of it is read-only.
  if (spec->read_only != 0 && (made->flags & flags::read_only) == 0 && !array.is_own_memory(made->dl_tensor)) {
    release_exported(Exported(made));
    return refuse(reason, "its imports are copies, which may be written to");
  }
  *exported = made;
  return DLSPEC_OK;
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  if (generation != DLSPEC_VERSIONED) return refuse(reason, "an exchange table takes versioned structs only");
  if (import_object(static_cast<Managed*>(exported), array)) return DLSPEC_OK;
  return refuse(reason, "managed_tensor_to_py_object_no_sync refuses it");
}

int contents(void* array, void* bytes, std::size_t byte_count) try {
  Managed* const made = export_object(array);
  if (made == nullptr) return not_exported;
  std::vector<std::uint8_t> gathered;
  const bool padded = (made->flags & flags::subbyte_padded) != 0;
  const Status status = reference::gather(made->dl_tensor, padded, gathered, byte_count);
  release_exported(Exported(made));
  if (status != Status::ok || gathered.size() != byte_count) return DLSPEC_ERROR;
  std::copy(gathered.begin(), gathered.end(), static_cast<std::uint8_t*>(bytes));
  return DLSPEC_OK;
} catch (const std::exception&) {
  return DLSPEC_ERROR;
}

// True when the plug-in has a table that can export and import: it is in use from now on.
bool use_table(const DlspecPlugin& plugin) {
  const Api* const api = exchange_table_of(plugin);
  if (api == nullptr || api->managed_tensor_from_py_object_no_sync == nullptr ||
      api->managed_tensor_to_py_object_no_sync == nullptr)
    return false;
  used = {api, plugin.release};
  return true;
}

}  // namespace

const Api* exchange_table_of(const DlspecPlugin& plugin) {
  const auto* header = static_cast<const abi::v1::ExchangeApiHeader*>(plugin.exchange_api);
  for (int i = 0; header != nullptr && header->version.major != abi::newest_version.major; ++i)
    header = i < longest_chain ? header->prev_api : nullptr;
  return reinterpret_cast<const Api*>(header);
}

DlspecPlugin completed_by_table(const DlspecPlugin& plugin) {
  DlspecPlugin whole = plugin;
  if (!use_table(plugin)) return whole;
  if (whole.make == nullptr) whole.make = make;
  if (whole.import_tensor == nullptr) {
    whole.import_tensor = import_tensor;
    whole.contents = contents;
  }
  return whole;
}

DlspecPlugin through_table(const DlspecPlugin& plugin) {
  DlspecPlugin through = plugin;
  const bool is_used = use_table(plugin);
  through.make = is_used ? make : nullptr;
  through.import_tensor = is_used ? import_tensor : nullptr;
  through.contents = contents;
  return through;
}

TableArray::TableArray(const DlspecSpec& spec, const char** reason) {
  void* own = nullptr;
  if (builtin_plugin()->make(&spec, DLSPEC_VERSIONED, &own, reason) != DLSPEC_OK) return;
  auto* const managed = static_cast<Managed*>(own);
  place_ = first_element(managed->dl_tensor);
  own_ = Watch::attach(Exported(managed));
  if (import_object(managed, &object_)) {
    if (object_ == nullptr) *reason = "managed_tensor_to_py_object_no_sync gives no object";
    return;
  }
  object_ = nullptr;
  *reason = "managed_tensor_to_py_object_no_sync refuses it";
  if (own_ != nullptr && own_->calls() == 0) own_->release();
}

Managed* export_object(void* object) {
  Managed* made = nullptr;
  const bool succeeded = table_call("managed_tensor_from_py_object_no_sync",
                                    [&] { return used.api->managed_tensor_from_py_object_no_sync(object, &made); });
  if (succeeded && made == nullptr) note_empty_export();
  return succeeded ? made : nullptr;
}

Managed* TableArray::exported() const { return export_object(object_); }

void TableArray::release() {
  if (object_ != nullptr) used.release(object_);
  object_ = nullptr;
}

bool TableArray::is_own_memory(const abi::Tensor& tensor) const {
  return tensor.data != nullptr && first_element(tensor) == place_;
}

void release_if_left(const DlspecPlugin& plugin, const Exported& refused, int calls) {
  if (plugin.import_tensor == import_tensor && calls == 0) release_exported(refused);
}

}  // namespace dlspec::conformance
