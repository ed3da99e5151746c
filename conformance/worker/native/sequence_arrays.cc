#include <dlspec/conformance/worker/native/sequence_arrays.h>

#include <algorithm>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {

std::vector<std::uint8_t> turned(const std::vector<std::uint8_t>& bytes, std::size_t item, std::size_t turns) {
  std::vector<std::uint8_t> result = bytes;
  const std::size_t count = item > 0 ? bytes.size() / item : 0;
  if (count > 1) {
    std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(turns % count * item), result.end());
  }
  return result;
}

void* SequencePlugin::managed_of(const SequenceArray& array, int generation) const {
  const DlspecSpec spec = spec_of(array.order, {kDLCPU, 0});
  const DlspecPlugin& maker = array.own ? *builtin_plugin() : plugin_;
  void* managed = nullptr;
  const char* reason = nullptr;
  if (maker.make == nullptr || maker.make(&spec, generation, &managed, &reason) != DLSPEC_OK) return nullptr;
  return managed;
}

bool SequencePlugin::import(void* managed, void*& imported) const {
  const char* reason = nullptr;
  return plugin_.import_tensor(managed, DLSPEC_VERSIONED, &imported, &reason) == DLSPEC_OK;
}

void SequencePlugin::release_if_left(void* managed, int calls) const {
  conformance::release_if_left(plugin_, exported_struct(managed, DLSPEC_VERSIONED), calls);
}

std::vector<std::uint8_t> SequencePlugin::shown_by(const SequenceArray& array) const {
  std::vector<std::uint8_t> bytes(array.order.bytes.size());
  const bool read =
      plugin_.contents != nullptr && plugin_.contents(array.imported, bytes.data(), bytes.size()) == DLSPEC_OK;
  return read ? bytes : array.order.bytes;
}

void SequencePlugin::release(void* imported) const {
  if (imported != nullptr && plugin_.release != nullptr) plugin_.release(imported);
}

void SequencePlugin::drop_import(SequenceArray& array) const {
  release(array.imported);
  array.imported = nullptr;
}

}  // namespace dlspec::conformance
