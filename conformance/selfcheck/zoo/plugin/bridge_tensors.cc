// Faulty descriptors, imports and exports.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

#include "bridges.h"

namespace dlspec::zoo {
namespace {

using Versioned = abi::v1::ManagedTensor;
using conformance::exported_struct;

// --- descriptions that are made of another one

using Alteration = void (*)(DlspecDescription& description, std::vector<std::size_t>& shape,
                            std::vector<std::ptrdiff_t>& strides);

template <Alteration alter>
int describe_as(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  DlspecDescription altered = *description;
  const std::size_t rank = altered.shape != nullptr ? altered.ndim : 0;
  std::vector<std::size_t> shape(altered.shape, altered.shape + rank);
  std::vector<std::ptrdiff_t> strides(altered.strides,
                                      altered.strides + (altered.strides != nullptr ? altered.ndim : 0));
  alter(altered, shape, strides);
  if (altered.shape != nullptr) altered.shape = shape.data();
  if (altered.strides != nullptr) altered.strides = strides.data();
  return own_bridge().describe(&altered, descriptor, refusal);
}

void wrap_extents(DlspecDescription&, std::vector<std::size_t>& shape, std::vector<std::ptrdiff_t>&) {
  for (std::size_t& extent : shape) extent = static_cast<std::uint32_t>(extent);
}
void wrap_strides(DlspecDescription&, std::vector<std::size_t>&, std::vector<std::ptrdiff_t>& strides) {
  for (std::ptrdiff_t& stride : strides) stride = static_cast<std::int32_t>(stride);
}

template <class Dtype>
void fold_lanes(Dtype& dtype) {
  dtype.lanes = 1;
}
template <class Dtype>
void take_subbyte(Dtype& dtype) {
  if (dtype.bits < 8) dtype.bits = 8;
}
template <class Dtype>
void take_opaque(Dtype& dtype) {
  if (dtype.code == kDLOpaqueHandle) dtype.code = kDLUInt;
}
template <class Dtype>
void take_unknown(Dtype& dtype) {
  if (dtype.code == conformance::unknown_dtype_code) dtype.code = kDLUInt;
}
template <void (*take)(DlspecDescription&)>
void take_dtype(DlspecDescription& description, std::vector<std::size_t>&, std::vector<std::ptrdiff_t>&) {
  take(description);
}

int refuse_null_scalar(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  if (description->ndim == 0 && description->shape == nullptr) return refuse(refusal, InfiniStatus::null_pointer);
  return own_bridge().describe(description, descriptor, refusal);
}

// --- imports of another tensor

template <class Alter>
int import_altered(const void* exported, int generation, int writable, void** descriptor, void** data,
                   DlspecRefusal* refusal, Alter alter) {
  return conformance::with_managed(exported_struct(exported, generation), [&](auto altered) {
    if constexpr (requires { alter(altered); })
      alter(altered);
    else
      alter(altered.dl_tensor);
    return own_bridge().from_dlpack(&altered, generation, writable, descriptor, data, refusal);
  });
}

// Negative extents become their distance from 0.
struct TakeNegative {
  std::int64_t extents[8];
  void operator()(abi::Tensor& tensor) {
    if (tensor.ndim < 1 || tensor.ndim > 8) return;
    std::transform(tensor.shape, tensor.shape + tensor.ndim, extents, [](std::int64_t extent) {
      return extent == INT64_MIN ? INT64_MAX : extent < 0 ? -extent : extent;
    });
    tensor.shape = extents;
  }
};

std::int64_t one = 1;
struct ScalarAsOne {
  void operator()(abi::Tensor& tensor) const {
    if (tensor.ndim != 0) return;
    tensor.ndim = 1;
    tensor.shape = tensor.strides = &one;
  }
};
struct LanesFolded {
  void operator()(abi::Tensor& tensor) const { fold_lanes(tensor.dtype); }
};
struct PaddedTaken {
  void operator()(abi::Tensor&) const {}
  void operator()(Versioned& managed) const {
    if ((managed.flags & flags::subbyte_padded) == 0) return;
    managed.flags = 0;
    managed.dl_tensor.dtype.bits = 8;
  }
};
abi::DataType padded;  // of floats, which go out as packed elements
struct PaddingForgotten {
  void operator()(abi::Tensor&) const { padded = {}; }
  void operator()(Versioned& managed) const {
    const bool is_taken = managed.flags == flags::subbyte_padded && managed.dl_tensor.dtype.code != kDLInt;
    padded = is_taken ? std::exchange(managed.dl_tensor.dtype, {kDLUInt, 8, 1}) : abi::DataType{};
    if (is_taken) managed.flags = 0;
  }
};
struct ReadOnlyForgotten {
  void operator()(abi::Tensor&) const {}
  void operator()(Versioned& managed) const { managed.flags &= ~flags::read_only; }
};

struct StridesLost {
  void operator()(abi::Tensor& tensor) const { tensor.strides = nullptr; }
  void operator()(Versioned& managed) const {
    managed.version = {1, 0};  // where NULL is compact
    managed.dl_tensor.strides = nullptr;
  }
};

template <class Alter>
int take_altered(const void* exported, int generation, int writable, void** descriptor, void** data,
                 DlspecRefusal* refusal) {
  return import_altered(exported, generation, writable, descriptor, data, refusal, Alter{});
}

int refuse_null_scalar_tensor(const void* exported, int generation, int writable, void** descriptor, void** data,
                              DlspecRefusal* refusal) {
  const abi::Tensor& tensor = exported_struct(exported, generation).tensor();
  if (tensor.ndim == 0 && tensor.shape == nullptr) return refuse(refusal, InfiniStatus::null_pointer);
  return own_bridge().from_dlpack(exported, generation, writable, descriptor, data, refusal);
}

// Bytes from element (0, ..., 0) down to the lowest.
std::uintptr_t below(const abi::Tensor& tensor) {
  std::uintptr_t elements = 0;
  for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 0) return 0;
    if (tensor.strides[axis] < 0)
      elements -= static_cast<std::uintptr_t>((tensor.shape[axis] - 1) * tensor.strides[axis]);
  }
  return elements * item_size(tensor.dtype);
}

void* lowest(const abi::Tensor& tensor, void* data) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) - below(tensor));
}

int import_lowest(const void* exported, int generation, int writable, void** descriptor, void** data,
                  DlspecRefusal* refusal) {
  const int code = own_bridge().from_dlpack(exported, generation, writable, descriptor, data, refusal);
  if (code == DLSPEC_OK) *data = lowest(exported_struct(exported, generation).tensor(), *data);
  return code;
}

// The layout that was imported last is known, and on a hit the offset is forgotten.
int import_known(const void* exported, int generation, int writable, void** descriptor, void** data,
                 DlspecRefusal* refusal) {
  static std::vector<std::int64_t> last;
  const abi::Tensor& tensor = exported_struct(exported, generation).tensor();
  const int code = own_bridge().from_dlpack(exported, generation, writable, descriptor, data, refusal);
  if (code != DLSPEC_OK || tensor.ndim == 0 || tensor.shape == nullptr || tensor.strides == nullptr) return code;
  std::vector<std::int64_t> layout{tensor.dtype.code, tensor.dtype.bits};
  layout.insert(layout.end(), tensor.shape, tensor.shape + tensor.ndim);
  layout.insert(layout.end(), tensor.strides, tensor.strides + tensor.ndim);
  if (layout == last && tensor.byte_offset != 0) *data = static_cast<char*>(*data) - tensor.byte_offset;
  last = std::move(layout);
  return code;
}

int import_scalar_elsewhere(const void* exported, int generation, int writable, void** descriptor, void** data,
                            DlspecRefusal* refusal) {
  const int code = own_bridge().from_dlpack(exported, generation, writable, descriptor, data, refusal);
  const std::int32_t rank = exported_struct(exported, generation).tensor().ndim;
  if (code == DLSPEC_OK && rank == 0) *data = static_cast<char*>(*data) + 1;
  return code;
}

// --- exports that are altered

using TensorAlteration = void (*)(abi::Tensor& tensor);

template <TensorAlteration alter>
int export_altered(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
  const int code = own_bridge().to_dlpack(descriptor, data, generation, exported, refusal);
  if (code == DLSPEC_OK) alter(conformance::managed_tensor(exported_struct(*exported, generation)));
  return code;
}

void leave_strides_out(abi::Tensor& tensor) {
  if (tensor.ndim != 0 && is_compact(tensor)) tensor.strides = nullptr;
}
void make_column_major(abi::Tensor& tensor) {
  if (!is_compact(tensor)) return;
  std::int64_t step = 1;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    tensor.strides[axis] = step;
    step *= std::max<std::int64_t>(tensor.shape[axis], 1);
  }
}
void export_scalar_as_one(abi::Tensor& tensor) { ScalarAsOne{}(tensor); }
void export_lowest(abi::Tensor& tensor) { tensor.data = lowest(tensor, tensor.data); }
void export_packed(abi::Tensor& tensor) { tensor.dtype = padded.bits != 0 ? padded : tensor.dtype; }
// Of tensors that memory could hold; what no memory holds is exported as it was described.
void export_narrow(abi::Tensor& tensor) {
  for (std::int64_t& extent : std::span(tensor.shape, static_cast<std::size_t>(tensor.ndim)))
    if (extent < std::int64_t{1} << 40) extent = static_cast<std::int32_t>(extent);
}
void export_positive(abi::Tensor& tensor) {
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.strides[axis] < 0 && tensor.strides[axis] > INT64_MIN) tensor.strides[axis] = -tensor.strides[axis];
  }
}

// The extents of the last export, in the place that all of them share.
void share_extents(abi::Tensor& tensor) {
  static std::int64_t extents[64];
  std::copy(tensor.shape, tensor.shape + tensor.ndim, extents);
  tensor.shape = extents;
}

// --- statuses of descriptions

int describe_bad_param(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  const int code = own_bridge().describe(description, descriptor, refusal);
  if (code != DLSPEC_OK) refusal->status = static_cast<int>(InfiniStatus::bad_param);
  return code;
}

int judge_dtype_first(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  if (description->code == kDLOpaqueHandle) return refuse(refusal, InfiniStatus::bad_tensor_dtype);
  return own_bridge().describe(description, descriptor, refusal);
}

constexpr BridgeRow rows[] = {
    {"strides left out", DLSPEC_CHANGE(to_dlpack, export_altered<leave_strides_out>)},
    {"column-major strides", DLSPEC_CHANGE(to_dlpack, export_altered<make_column_major>)},
    {"scalar refused", DLSPEC_CHANGE(describe, refuse_null_scalar)},
    {"scalar tensor refused", DLSPEC_CHANGE(from_dlpack, refuse_null_scalar_tensor)},
    {"scalar exported as one", DLSPEC_CHANGE(to_dlpack, export_altered<export_scalar_as_one>)},
    {"scalar imported as one", DLSPEC_CHANGE(from_dlpack, take_altered<ScalarAsOne>)},
    {"scalar elsewhere", DLSPEC_CHANGE(from_dlpack, import_scalar_elsewhere)},
    {"extents wrapped", DLSPEC_CHANGE(describe, describe_as<wrap_extents>)},
    {"strides wrapped", DLSPEC_CHANGE(describe, describe_as<wrap_strides>)},
    {"extents of 32 bits exported", DLSPEC_CHANGE(to_dlpack, export_altered<export_narrow>)},
    {"negative extents taken", DLSPEC_CHANGE(from_dlpack, take_altered<TakeNegative>)},
    {"lowest address out", DLSPEC_CHANGE(to_dlpack, export_altered<export_lowest>)},
    {"lowest address in", DLSPEC_CHANGE(from_dlpack, import_lowest)},
    {"signs lost", DLSPEC_CHANGE(to_dlpack, export_altered<export_positive>)},
    {"lanes folded", DLSPEC_CHANGE(describe, describe_as<take_dtype<fold_lanes>>)},
    {"lanes folded on import", DLSPEC_CHANGE(from_dlpack, take_altered<LanesFolded>)},
    {"narrow elements taken", DLSPEC_CHANGE(describe, describe_as<take_dtype<take_subbyte>>)},
    {"padded elements taken", DLSPEC_CHANGE(from_dlpack, take_altered<PaddedTaken>)},
    {"padding forgotten",
     [](DlspecBridge& bridge) {
       bridge.from_dlpack = take_altered<PaddingForgotten>;
       bridge.to_dlpack = export_altered<export_packed>;
     }},
    {"handles taken", DLSPEC_CHANGE(describe, describe_as<take_dtype<take_opaque>>)},
    {"unknown codes taken", DLSPEC_CHANGE(describe, describe_as<take_dtype<take_unknown>>)},
    {"read-only forgotten", DLSPEC_CHANGE(from_dlpack, take_altered<ReadOnlyForgotten>)},
    {"offsets of known layouts lost", DLSPEC_CHANGE(from_dlpack, import_known)},
    {"strides lost on import", DLSPEC_CHANGE(from_dlpack, take_altered<StridesLost>)},
    {"extents of the last export", DLSPEC_CHANGE(to_dlpack, export_altered<share_extents>)},
    {"one status for all", DLSPEC_CHANGE(describe, describe_bad_param)},
    {"dtype judged first", DLSPEC_CHANGE(describe, judge_dtype_first)},
};

}  // namespace

std::span<const BridgeRow> tensor_faults() { return rows; }

bool is_compact(const abi::Tensor& tensor) {
  const std::span<const std::int64_t> shape(tensor.shape, static_cast<std::size_t>(tensor.ndim));
  const std::vector<std::int64_t> strides = reference::compact_strides(shape);
  return std::equal(strides.begin(), strides.end(), tensor.strides);
}

}  // namespace dlspec::zoo
