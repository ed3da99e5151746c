// A consumer in C++: dlspec::optimized says in a few nanoseconds whether a tensor may be used.
#include <dlspec/plugin.h>

#include <cstring>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

namespace {
using Managed = dlspec::abi::v1::ManagedTensor;

bool usable(const Managed* managed) {
  for (const dlspec::Finding& finding : dlspec::optimized::validate(managed)) {
    if (dlspec::verdict_of(finding) != dlspec::Verdict::info && dlspec::verdict_of(finding) != dlspec::Verdict::warn) return false;
  }
  const bool known = managed->version.major == 1;  // else nothing more may be read
  return known && managed->dl_tensor.device.device_type == dlspec::kDLCPU && dlspec::item_size(managed->dl_tensor.dtype) != 0 &&
         managed->dl_tensor.dtype.lanes == 1 && dlspec::find_dtype_code(managed->dl_tensor.dtype.code) != nullptr;
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  *reason = "not a conforming versioned host tensor with whole bytes per element";
  if (generation != DLSPEC_VERSIONED) {
    auto* const legacy = static_cast<dlspec::abi::v0::ManagedTensor*>(exported);
    if (legacy->deleter != nullptr) legacy->deleter(legacy);
    return DLSPEC_UNSUPPORTED;
  }
  auto* const managed = static_cast<Managed*>(exported);
  if (usable(managed)) return *array = managed, DLSPEC_OK;
  if (managed->deleter != nullptr) managed->deleter(managed);
  return DLSPEC_UNSUPPORTED;
}

char* walk(const dlspec::abi::Tensor& tensor, int axis, const char* from, char* to) {
  const std::int64_t item = dlspec::item_size(tensor.dtype);
  if (axis == tensor.ndim) return static_cast<char*>(std::memcpy(to, from, static_cast<std::size_t>(item))) + item;
  std::int64_t step = 1;  // row-major unless there are strides
  for (int inner = axis + 1; inner < tensor.ndim; ++inner) step *= tensor.shape[inner];
  if (tensor.strides != nullptr) step = tensor.strides[axis];
  for (std::int64_t i = 0; i < tensor.shape[axis]; ++i) to = walk(tensor, axis + 1, from + i * step * item, to);
  return to;
}

int contents(void* array, void* bytes, std::size_t count) {
  const dlspec::abi::Tensor& tensor = static_cast<Managed*>(array)->dl_tensor;
  if (count != 0) walk(tensor, 0, static_cast<const char*>(tensor.data) + tensor.byte_offset, static_cast<char*>(bytes));
  return DLSPEC_OK;
}

void release(void* array) {
  auto* const managed = static_cast<Managed*>(array);
  if (managed->deleter != nullptr) managed->deleter(managed);
}
const DlspecPlugin plugin{DLSPEC_PLUGIN_VERSION, sizeof plugin, "example consumer in C++", "1.0", nullptr, import_tensor, contents, release};
}  // namespace
const DlspecPlugin* dlspec_plugin() { return &plugin; }
