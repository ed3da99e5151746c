#include <dlspec/conformance/worker/native/builtin_table.h>

#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::conformance {

void BuiltinImport::drop() {
  if (--holders_ > 0) return;
  release_exported(exported);
  delete this;
}

namespace {

using Managed = abi::v1::ManagedTensor;
using SetError = void (*)(void*, const char*, const char*);

// The tensor of an import with strides, as versions from 1.2 on have them. `strides` holds those that the struct lacks.
abi::Tensor described(const BuiltinImport& import, std::vector<std::int64_t>& strides) {
  abi::Tensor tensor = import.exported.tensor();
  if (tensor.ndim == 0 || tensor.strides != nullptr) return tensor;
  const std::span shape(tensor.shape, static_cast<std::size_t>(tensor.ndim));
  strides = reference::row_major_strides(shape).value_or(std::vector<std::int64_t>(shape.size()));
  tensor.strides = strides.data();
  return tensor;
}

// An export of an import, which it holds.
struct Onward {
  Managed managed{};
  std::vector<std::int64_t> strides;
  BuiltinImport* import;

  explicit Onward(BuiltinImport& held) : import(&held) {
    managed.version = abi::newest_version;
    managed.dl_tensor = described(held, strides);
    if (held.exported.generation() == Generation::versioned)
      managed.flags = held.exported.versioned().flags & (flags::read_only | flags::subbyte_padded);
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) {
      const std::unique_ptr<Onward> whole(static_cast<Onward*>(self->manager_ctx));
      whole->import->drop();
    };
    import->hold();
  }
};

int export_object(void* object, Managed** out) try {
  *out = &(new Onward(*static_cast<BuiltinImport*>(object)))->managed;
  return 0;
} catch (const std::exception&) {
  return -1;
}

// The caller keeps a tensor that is refused.
int import_tensor(Managed* tensor, void** out) try {
  const Exported exported(Generation::versioned, tensor);
  if (builtin_refusal(exported) != nullptr) return -1;
  *out = new BuiltinImport(exported);
  return 0;
} catch (const std::exception&) {
  return -1;
}

// A struct without strides cannot be lent: nobody would keep those that it lacks.
int lend(void* object, abi::Tensor* out) {
  const abi::Tensor& tensor = static_cast<BuiltinImport*>(object)->exported.tensor();
  if (tensor.ndim > 0 && tensor.strides == nullptr) return -1;
  *out = tensor;
  return 0;
}

// The bytes that the elements need; nothing where no memory has so many.
std::optional<std::size_t> bytes_of(const abi::Tensor& prototype) {
  constexpr std::size_t most = std::size_t{1} << 28;
  std::size_t bits = std::size_t{prototype.dtype.bits} * prototype.dtype.lanes;
  for (std::int32_t axis = 0; axis < prototype.ndim; ++axis) {
    const std::int64_t extent = prototype.shape[axis];
    if (extent < 0 || __builtin_mul_overflow(bits, static_cast<std::size_t>(extent), &bits)) return std::nullopt;
  }
  const std::size_t bytes = bits / 8 + (bits % 8 != 0);
  return bytes > most ? std::nullopt : std::optional(bytes);
}

int allocate(abi::Tensor* prototype, Managed** out, void* context, SetError set_error) try {
  const char* reason = "there is no such tensor";
  const DtypeCodeRow* const code = find_dtype_code(prototype->dtype.code);
  const bool is_known = code != nullptr && code->value != kDLOpaqueHandle && prototype->dtype.bits > 0 &&
                        prototype->dtype.lanes > 0 && prototype->ndim >= 0 && prototype->ndim <= max_rank;
  const std::optional<std::size_t> size = is_known ? bytes_of(*prototype) : std::nullopt;
  DlspecSpec spec{};
  spec.code = prototype->dtype.code;
  spec.bits = prototype->dtype.bits;
  spec.lanes = prototype->dtype.lanes;
  spec.ndim = prototype->ndim;
  spec.shape = prototype->shape;
  spec.device_type = prototype->device.device_type;
  const std::vector<std::uint8_t> zeros(size.value_or(0));
  spec.bytes = zeros.data();
  spec.byte_count = zeros.size();
  void* made = nullptr;
  if (size && prototype->device.device_id == 0 &&
      builtin_plugin()->make(&spec, DLSPEC_VERSIONED, &made, &reason) == DLSPEC_OK) {
    *out = static_cast<Managed*>(made);
    return 0;
  }
  set_error(context, "BufferError", reason);
  return -1;
} catch (const std::exception&) {
  set_error(context, "MemoryError", "out of memory");
  return -1;
}

int current_stream(std::int32_t device_type, std::int32_t, void** out) {
  if (device_type != kDLCPU) return -1;
  *out = nullptr;
  return 0;
}

}  // namespace

const abi::v1::ExchangeApi builtin_exchange_api{
    {abi::newest_version, nullptr}, allocate, export_object, import_tensor, lend, current_stream};

}  // namespace dlspec::conformance
