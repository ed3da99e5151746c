// A consumer in C++: dlspec says in nanoseconds whether a tensor may be used, and reads it.
#include <dlspec/plugin.h>

#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <algorithm>

namespace {
using Managed = dlspec::abi::v1::ManagedTensor;
bool usable(const Managed* managed) {
  for (const dlspec::Finding& finding : dlspec::optimized::validate(managed))
    if (dlspec::verdict_of(finding) == dlspec::Verdict::fail) return false;
  if (managed->version.major != 1) return false;  // nothing more may be read
  const dlspec::abi::Tensor& tensor = managed->dl_tensor;
  return tensor.device.device_type == dlspec::kDLCPU && dlspec::find_dtype_code(tensor.dtype.code) && tensor.ndim <= 64;
}
int call_deleter(auto* managed) {
  if (managed->deleter) managed->deleter(managed);
  return DLSPEC_UNSUPPORTED;
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  *reason = "not a conforming versioned host tensor";
  if (generation != DLSPEC_VERSIONED) return call_deleter(static_cast<dlspec::abi::v0::ManagedTensor*>(exported));
  if (!usable(static_cast<Managed*>(exported))) return call_deleter(static_cast<Managed*>(exported));
  return *array = exported, DLSPEC_OK;
}
int contents(void* array, void* bytes, std::size_t count) try {
  std::vector<std::uint8_t> gathered;
  const auto* managed = static_cast<Managed*>(array);
  const bool padded = (managed->flags & dlspec::flags::subbyte_padded) != 0;
  if (dlspec::reference::gather(managed->dl_tensor, padded, gathered, count) != dlspec::Status::ok) return DLSPEC_ERROR;
  return std::copy(gathered.begin(), gathered.end(), static_cast<std::uint8_t*>(bytes)), DLSPEC_OK;
} catch (...) {
  return DLSPEC_ERROR;
}
void release(void* array) { call_deleter(static_cast<Managed*>(array)); }
const DlspecPlugin plugin{DLSPEC_PLUGIN_VERSION,
                          sizeof plugin,
                          "example consumer in C++",
                          "1.0",
                          nullptr,
                          import_tensor,
                          contents,
                          release,
                          nullptr,
                          nullptr};
}  // namespace
const DlspecPlugin* dlspec_plugin() { return &plugin; }
