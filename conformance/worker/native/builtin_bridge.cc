#include <dlspec/conformance/worker/native/builtin_bridge.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <dlspec/reference/descriptor/overlap.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::conformance {
namespace {

using reference::Strided;

struct BuiltinDescriptor {
  abi::DataType dtype;
  Strided layout;
};
const BuiltinDescriptor& tensor_of(const void* descriptor) {
  return *static_cast<const BuiltinDescriptor*>(descriptor);
}

int refuse(DlspecRefusal* refusal, InfiniStatus status) {
  refusal->status = static_cast<int>(status);
  refusal->reason = describe(status);
  return status == InfiniStatus::internal_error ? DLSPEC_ERROR : DLSPEC_UNSUPPORTED;
}

// No exception may leave through a C function.
template <class Body>
int guarded(DlspecRefusal* refusal, Body body) try {
  return body();
} catch (const std::exception&) {
  return refuse(refusal, InfiniStatus::internal_error);
}

bool can_hold(abi::DataType dtype) {
  const DtypeCodeRow* const code = find_dtype_code(dtype.code);
  return code != nullptr && code->value != kDLOpaqueHandle && dtype.lanes == 1 && dtype.bits != 0 &&
         dtype.bits % 8 == 0;
}

// Strides NULL: compact.
InfiniStatus make_tensor(abi::DataType dtype, std::vector<std::int64_t> shape, const std::int64_t* strides,
                         void** descriptor) {
  Strided layout;
  layout.shape = std::move(shape);
  if (strides != nullptr)
    layout.strides.assign(strides, strides + layout.rank());
  else
    layout.strides = reference::compact_strides(layout.shape);
  const InfiniStatus status = reference::judge(layout, item_size(dtype));
  if (status == InfiniStatus::success) *descriptor = new BuiltinDescriptor{dtype, std::move(layout)};
  return status;
}

// The extents as DLPack has them; nothing where one does not fit.
std::optional<std::vector<std::int64_t>> extents_of(const DlspecDescription& description) {
  std::vector<std::int64_t> shape;
  for (std::size_t axis = 0; axis < description.ndim; ++axis) {
    if (description.shape[axis] > static_cast<std::size_t>(INT64_MAX)) return std::nullopt;
    shape.push_back(static_cast<std::int64_t>(description.shape[axis]));
  }
  return shape;
}

InfiniStatus describe_as(const DlspecDescription& description, void** descriptor) {
  const abi::DataType dtype{description.code, description.bits, description.lanes};
  if (description.ndim != 0 && description.shape == nullptr) return InfiniStatus::null_pointer;
  if (!can_hold(dtype)) return InfiniStatus::bad_tensor_dtype;
  if (description.ndim > infini_max_rank) return InfiniStatus::bad_param;
  std::optional<std::vector<std::int64_t>> shape = extents_of(description);
  if (!shape) return InfiniStatus::bad_tensor_shape;
  static_assert(sizeof(std::ptrdiff_t) == sizeof(std::int64_t));
  const std::vector<std::int64_t> strides(description.strides,
                                          description.strides + (description.strides ? description.ndim : 0));
  return make_tensor(dtype, *std::move(shape), description.strides != nullptr ? strides.data() : nullptr, descriptor);
}

int describe_tensor(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  return guarded(refusal, [&] {
    const InfiniStatus status = describe_as(*description, descriptor);
    return status == InfiniStatus::success ? DLSPEC_OK : refuse(refusal, status);
  });
}

void destroy(void* descriptor) { delete static_cast<BuiltinDescriptor*>(descriptor); }

// --- from DLPack

InfiniStatus import_as(const abi::Tensor& tensor, void** descriptor, void** data) {
  if (tensor.device.device_type != kDLCPU) return InfiniStatus::device_type_not_supported;
  if (!can_hold(tensor.dtype)) return InfiniStatus::bad_tensor_dtype;
  if (tensor.ndim < 0 || static_cast<std::size_t>(tensor.ndim) > infini_max_rank) return InfiniStatus::bad_param;
  if (tensor.ndim != 0 && tensor.shape == nullptr) return InfiniStatus::null_pointer;
  std::vector<std::int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
  if (!reference::extents_valid(shape)) return InfiniStatus::bad_tensor_shape;
  *data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  return make_tensor(tensor.dtype, std::move(shape), tensor.strides, descriptor);
}

InfiniStatus judge_prefix(const abi::v1::ManagedTensor& managed, bool writable) {
  if (managed.version.major != abi::newest_version.major) return InfiniStatus::bad_param;
  if ((managed.flags & flags::subbyte_padded) != 0) return InfiniStatus::bad_tensor_dtype;
  return writable && (managed.flags & flags::read_only) != 0 ? InfiniStatus::bad_param : InfiniStatus::success;
}

int from_dlpack(const void* exported, int generation, int writable, void** descriptor, void** data,
                DlspecRefusal* refusal) {
  return guarded(refusal, [&] {
    InfiniStatus status = InfiniStatus::success;
    if (generation == DLSPEC_LEGACY) {
      status = import_as(static_cast<const abi::v0::ManagedTensor*>(exported)->dl_tensor, descriptor, data);
    } else {
      const auto& managed = *static_cast<const abi::v1::ManagedTensor*>(exported);
      status = judge_prefix(managed, writable != 0);
      if (status == InfiniStatus::success) status = import_as(managed.dl_tensor, descriptor, data);
    }
    return status == InfiniStatus::success ? DLSPEC_OK : refuse(refusal, status);
  });
}

// --- to DLPack

template <class Managed>
struct BridgeExport {
  Managed managed{};
  Strided layout;

  BridgeExport(const BuiltinDescriptor& described, void* data) : layout(described.layout) {
    abi::Tensor& tensor = managed.dl_tensor;
    tensor.data = reference::is_empty(layout.shape) ? nullptr : data;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<std::int32_t>(layout.rank());
    tensor.dtype = described.dtype;
    tensor.shape = layout.shape.data();
    tensor.strides = layout.strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { delete static_cast<BridgeExport*>(self->manager_ctx); };
    if constexpr (requires { managed.version; }) managed.version = abi::newest_version;
  }
};

int to_dlpack(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
  return guarded(refusal, [&] {
    if (generation == DLSPEC_VERSIONED)
      *exported = &(new BridgeExport<abi::v1::ManagedTensor>(tensor_of(descriptor), data))->managed;
    else
      *exported = &(new BridgeExport<abi::v0::ManagedTensor>(tensor_of(descriptor), data))->managed;
    return DLSPEC_OK;
  });
}

// --- the copy

InfiniStatus status_of(Status status) {
  switch (status) {
    case Status::ok: return InfiniStatus::success;
    case Status::dtype_mismatch: return InfiniStatus::bad_tensor_dtype;
    case Status::shape_mismatch: return InfiniStatus::bad_tensor_shape;
    case Status::null_pointer: return InfiniStatus::null_pointer;
    case Status::destination_overlap: return InfiniStatus::bad_tensor_strides;
    case Status::size_limit: return InfiniStatus::internal_error;
    default: return InfiniStatus::bad_param;
  }
}

// What descriptors say is judged before pointers are looked at: the copy is planned first.
InfiniStatus judge_plan(const BuiltinDescriptor& to, const BuiltinDescriptor& from) {
  if (to.dtype != from.dtype) return InfiniStatus::bad_tensor_dtype;
  if (to.layout.shape != from.layout.shape) return InfiniStatus::bad_tensor_shape;
  const bool apart = reference::self_overlap(to.layout.axes()) == reference::Overlap::no;
  return apart ? InfiniStatus::success : InfiniStatus::bad_tensor_strides;
}

int rearrange(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return guarded(refusal, [&] {
    const BuiltinDescriptor &target = tensor_of(to), &origin = tensor_of(from);
    InfiniStatus status = judge_plan(target, origin);
    if (status == InfiniStatus::success) {
      status = status_of(reference::rearrange({target.dtype, target.layout.axes(), to_data},
                                              {origin.dtype, origin.layout.axes(), from_data}));
    }
    return status == InfiniStatus::success ? DLSPEC_OK : refuse(refusal, status);
  });
}

}  // namespace

const DlspecBridge builtin_bridge = {sizeof(DlspecBridge), describe_tensor, destroy, from_dlpack, to_dlpack, rearrange};

}  // namespace dlspec::conformance
