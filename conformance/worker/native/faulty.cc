#include <dlspec/conformance/worker/native/faulty.h>

#include <algorithm>
#include <cstdint>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {
namespace {

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED) {
    static_cast<abi::v1::ManagedTensor*>(*exported)->dl_tensor.strides = nullptr;
  }
  return status;
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int contents(void* array, void* bytes, std::size_t byte_count) {
  const int status = builtin_plugin()->contents(array, bytes, byte_count);
  auto* const first = static_cast<std::uint8_t*>(bytes);
  if (status == DLSPEC_OK) std::reverse(first, first + byte_count);
  return status;
}

void release(void* array) { builtin_plugin()->release(array); }

constexpr DlspecPlugin table{DLSPEC_PLUGIN_VERSION,
                             sizeof(DlspecPlugin),
                             "dlspec, faulty",
                             "0.1.0",
                             make,
                             import_tensor,
                             contents,
                             release,
                             nullptr,
                             nullptr};

}  // namespace

const DlspecPlugin* faulty_plugin() { return &table; }

}  // namespace dlspec::conformance
