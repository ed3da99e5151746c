#include <dlspec/conformance/worker/native/plugin_table.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
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

// An object of dlspec's own tensor; NULL where the table refuses it.
void* object_of(Managed* own) {
  const std::shared_ptr<Watch> watch = Watch::attach(Exported(Generation::versioned, own));
  void* object = nullptr;
  if (used.api->managed_tensor_to_py_object_no_sync(own, &object) == 0) return object;
  if (watch != nullptr && watch->calls() == 0) watch->release();
  return nullptr;
}

// dlspec's own tensor as it was ordered becomes an object of the library, which exports it.
int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (generation != DLSPEC_VERSIONED) return refuse(reason, "an exchange table gives versioned structs only");
  void* own = nullptr;
  if (builtin_plugin()->make(spec, generation, &own, reason) != DLSPEC_OK) return DLSPEC_UNSUPPORTED;
  void* const object = object_of(static_cast<Managed*>(own));
  if (object == nullptr) return refuse(reason, "managed_tensor_to_py_object_no_sync refuses it");
  Managed* made = nullptr;
  const int status = used.api->managed_tensor_from_py_object_no_sync(object, &made);
  used.release(object);
  if (status != 0 || made == nullptr) return refuse(reason, "managed_tensor_from_py_object_no_sync refuses it");
  *exported = made;
  return DLSPEC_OK;
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  if (generation != DLSPEC_VERSIONED) return refuse(reason, "an exchange table takes versioned structs only");
  if (used.api->managed_tensor_to_py_object_no_sync(static_cast<Managed*>(exported), array) == 0) return DLSPEC_OK;
  return refuse(reason, "managed_tensor_to_py_object_no_sync refuses it");
}

int contents(void* array, void* bytes, std::size_t byte_count) try {
  Managed* made = nullptr;
  if (used.api->managed_tensor_from_py_object_no_sync(array, &made) != 0 || made == nullptr) return DLSPEC_ERROR;
  const Exported exported(Generation::versioned, made);
  std::vector<std::uint8_t> gathered;
  const bool padded = (made->flags & flags::subbyte_padded) != 0;
  const Status status = reference::gather(made->dl_tensor, padded, gathered, byte_count);
  release_exported(exported);
  if (status != Status::ok || gathered.size() != byte_count) return DLSPEC_ERROR;
  std::copy(gathered.begin(), gathered.end(), static_cast<std::uint8_t*>(bytes));
  return DLSPEC_OK;
} catch (const std::exception&) {
  return DLSPEC_ERROR;
}

}  // namespace

const Api* exchange_table_of(const DlspecPlugin& plugin) {
  const auto* header = static_cast<const abi::v1::ExchangeApiHeader*>(plugin.exchange_api);
  for (int i = 0; header != nullptr && header->version.major != abi::newest_version.major; ++i)
    header = i < longest_chain ? header->prev_api : nullptr;
  return reinterpret_cast<const Api*>(header);
}

DlspecPlugin completed_by_table(const DlspecPlugin& plugin) {
  const Api* const api = exchange_table_of(plugin);
  DlspecPlugin whole = plugin;
  if (api == nullptr || api->managed_tensor_from_py_object_no_sync == nullptr ||
      api->managed_tensor_to_py_object_no_sync == nullptr)
    return whole;
  used = {api, plugin.release};
  if (whole.make == nullptr) whole.make = make;
  if (whole.import_tensor == nullptr) {
    whole.import_tensor = import_tensor;
    whole.contents = contents;
  }
  return whole;
}

void release_if_left(const DlspecPlugin& plugin, const Exported& refused, int calls) {
  if (plugin.import_tensor == import_tensor && calls == 0) release_exported(refused);
}

}  // namespace dlspec::conformance
