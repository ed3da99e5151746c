// A producer in C++: row-major arrays of any dtype, in the generation that is asked for.
#include <dlspec/plugin.h>

#include <dlspec/vocabulary/abi.h>
#include <new>
#include <vector>

namespace {
namespace abi = dlspec::abi;

template <class Managed>  // abi::v0::ManagedTensor or abi::v1::ManagedTensor
struct Export {
  Managed managed{};
  std::vector<std::int64_t> shape, strides;
  std::vector<char> bytes;

  explicit Export(const DlspecSpec& spec) : shape(spec.shape, spec.shape + spec.ndim), strides(shape.size()) {
    bytes.assign(static_cast<const char*>(spec.bytes), static_cast<const char*>(spec.bytes) + spec.byte_count);
    std::int64_t step = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis]) strides[axis] = step;
    managed.dl_tensor = {bytes.empty() ? nullptr : bytes.data(),
                         {spec.device_type, spec.device_id},
                         spec.ndim,
                         {spec.code, spec.bits, spec.lanes},
                         shape.data(),
                         strides.data(),
                         0};
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { delete static_cast<Export*>(self->manager_ctx); };
    if constexpr (requires { managed.version; }) managed.version = {1, 3};
  }
};

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) try {
  *reason = "only writable row-major host arrays";
  if (spec->strides != nullptr || spec->offset != 0 || spec->read_only != 0 || spec->device_type != 1)
    return DLSPEC_UNSUPPORTED;
  if (generation == DLSPEC_VERSIONED)
    *exported = &(new Export<abi::v1::ManagedTensor>(*spec))->managed;
  else
    *exported = &(new Export<abi::v0::ManagedTensor>(*spec))->managed;
  return DLSPEC_OK;
} catch (const std::bad_alloc&) {
  return DLSPEC_ERROR;  // nothing may leave through a C function
}
const DlspecPlugin plugin{DLSPEC_PLUGIN_VERSION,
                          sizeof plugin,
                          "example producer in C++",
                          "1.0",
                          make,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};
}  // namespace
const DlspecPlugin* dlspec_plugin() { return &plugin; }
