// Converts DLPack tensors to descriptors and back.
#include <algorithm>
#include <array>
#include <type_traits>

#include <dlspec/optimized/descriptor/strided.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

#include "objects.h"

namespace {

using namespace dlspec::infiniop;  // NOLINT: the C functions below are in no namespace
namespace abi = dlspec::abi;
using Reason = dlspecInfiniopReason;

infiniStatus_t status_of(Reason reason) {
  switch (reason) {
    case DLSPEC_INFINIOP_NONE: return INFINI_STATUS_SUCCESS;
    case DLSPEC_INFINIOP_MISSING: return INFINI_STATUS_NULL_POINTER;
    case DLSPEC_INFINIOP_DEVICE: return INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
    case DLSPEC_INFINIOP_DTYPE:
    case DLSPEC_INFINIOP_LANES:
    case DLSPEC_INFINIOP_PADDED: return INFINI_STATUS_BAD_TENSOR_DTYPE;
    case DLSPEC_INFINIOP_SHAPE: return INFINI_STATUS_BAD_TENSOR_SHAPE;
    case DLSPEC_INFINIOP_NULL_STRIDES:
    case DLSPEC_INFINIOP_STRIDES: return INFINI_STATUS_BAD_TENSOR_STRIDES;
    case DLSPEC_INFINIOP_MEMORY: return INFINI_STATUS_INTERNAL_ERROR;
    default: return INFINI_STATUS_BAD_PARAM;
  }
}

infiniStatus_t answer(Reason reason, Reason* out) {
  if (out != nullptr) *out = reason;
  return status_of(reason);
}

bool readable_by_cpu(abi::Device device) {
  return device.device_type == dlspec::kDLCPU || device.device_type == dlspec::kDLCUDAHost ||
         device.device_type == dlspec::kDLROCMHost || device.device_type == dlspec::kDLCUDAManaged;
}

const dlspec::InfiniDtypeRow* counterpart(abi::DataType dtype) {
  for (const dlspec::InfiniDtypeRow& row : dlspec::infini_dtype_table) {
    const bool same = row.dlpack.code == dtype.code && row.dlpack.bits == dtype.bits;
    if (same && row.bridge == dlspec::InfiniBridge::exact) return &row;
  }
  return nullptr;
}

bool has_elements(const abi::Tensor& tensor) {
  return std::find(tensor.shape, tensor.shape + tensor.ndim, 0) == tensor.shape + tensor.ndim;
}

Reason judge_tensor(const abi::Tensor& tensor, bool strides_required, const dlspec::InfiniDtypeRow*& row) {
  if (!readable_by_cpu(tensor.device)) return DLSPEC_INFINIOP_DEVICE;
  row = counterpart(tensor.dtype);
  if (row == nullptr) return DLSPEC_INFINIOP_DTYPE;
  if (tensor.dtype.lanes != 1) return DLSPEC_INFINIOP_LANES;
  if (tensor.ndim < 0 || static_cast<std::size_t>(tensor.ndim) > dlspec::infini_max_rank) return DLSPEC_INFINIOP_RANK;
  if (tensor.ndim != 0 && tensor.shape == nullptr) return DLSPEC_INFINIOP_MISSING;
  const std::span<const std::int64_t> shape(tensor.shape, static_cast<std::size_t>(tensor.ndim));
  const dlspec::InfiniStatus status = dlspec::optimized::judge(shape, tensor.strides, row->bytes);
  if (status == dlspec::InfiniStatus::bad_tensor_shape) return DLSPEC_INFINIOP_SHAPE;
  if (tensor.ndim != 0 && tensor.strides == nullptr && strides_required) return DLSPEC_INFINIOP_NULL_STRIDES;
  return status == dlspec::InfiniStatus::success ? DLSPEC_INFINIOP_NONE : DLSPEC_INFINIOP_STRIDES;
}

// The address of element (0, ..., 0).
Reason find_data(const abi::Tensor& tensor, void*& data) {
  data = nullptr;
  if (!has_elements(tensor)) return DLSPEC_INFINIOP_NONE;
  if (tensor.data == nullptr) return DLSPEC_INFINIOP_MISSING;
  if (tensor.byte_offset > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(tensor.data)) return DLSPEC_INFINIOP_OFFSET;
  data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  return DLSPEC_INFINIOP_NONE;
}

Reason import(const abi::Tensor& tensor, bool strides_required, infiniopTensorDescriptor_t* descriptor, void** data) {
  const dlspec::InfiniDtypeRow* row = nullptr;
  if (const Reason reason = judge_tensor(tensor, strides_required, row); reason != DLSPEC_INFINIOP_NONE) return reason;
  void* start = nullptr;
  if (const Reason reason = find_data(tensor, start); reason != DLSPEC_INFINIOP_NONE) return reason;
  *descriptor = make_tensor(row->number, {tensor.shape, static_cast<std::size_t>(tensor.ndim)}, tensor.strides);
  if (*descriptor == nullptr) return DLSPEC_INFINIOP_MEMORY;
  if (data != nullptr) *data = start;
  return DLSPEC_INFINIOP_NONE;
}

Reason judge_prefix(const abi::v1::ManagedTensor& managed, bool writable) {
  if (managed.version.major != 1) return DLSPEC_INFINIOP_VERSION;
  if ((managed.flags & ~dlspec::flags::defined) != 0) return DLSPEC_INFINIOP_FLAGS;
  if ((managed.flags & dlspec::flags::subbyte_padded) != 0) return DLSPEC_INFINIOP_PADDED;
  return writable && (managed.flags & dlspec::flags::read_only) != 0 ? DLSPEC_INFINIOP_READ_ONLY : DLSPEC_INFINIOP_NONE;
}

// What an exported struct owns: itself, its arrays, and the obligation to call release.
template <class Managed>
struct Exported {
  Managed managed;
  void (*release)(void*);
  void* owner;
  std::array<std::int64_t, 2 * dlspec::infini_max_rank> numbers;

  static void destroy(Managed* managed) {
    auto* const self = static_cast<Exported*>(managed->manager_ctx);
    void (*const release)(void*) = self->release;
    void* const owner = self->owner;
    std::free(self);
    if (release != nullptr) release(owner);
  }
};

void describe(abi::Tensor& tensor, InfiniopTensorDescriptor& descriptor, void* data, std::int64_t* numbers) {
  const std::size_t rank = descriptor.rank;
  std::copy_n(descriptor.numbers(), 2 * rank, numbers);
  tensor = {};
  tensor.device = {dlspec::kDLCPU, 0};
  tensor.ndim = static_cast<std::int32_t>(rank);
  tensor.dtype = descriptor.row().dlpack;
  if (rank != 0) {
    tensor.shape = numbers;
    tensor.strides = numbers + rank;
  }
  if (has_elements(tensor)) tensor.data = data;
}

template <class Managed>
Reason export_as(infiniopTensorDescriptor_t descriptor, void* data, void (*release)(void*), void* owner,
                 Managed** out) {
  if (descriptor == nullptr) return DLSPEC_INFINIOP_MISSING;
  if (!is_live(descriptor)) return DLSPEC_INFINIOP_OBJECT;
  if (descriptor->row().bridge == dlspec::InfiniBridge::none) return DLSPEC_INFINIOP_DTYPE;
  const bool empty = std::ranges::find(descriptor->shape(), 0) != descriptor->shape().end();
  if (data == nullptr && !empty) return DLSPEC_INFINIOP_MISSING;
  void* const memory = std::malloc(sizeof(Exported<Managed>));
  if (memory == nullptr) return DLSPEC_INFINIOP_MEMORY;
  auto* const exported = new (memory) Exported<Managed>;
  exported->managed = {};
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = Exported<Managed>::destroy;
  exported->release = release;
  exported->owner = owner;
  describe(exported->managed.dl_tensor, *descriptor, data, exported->numbers.data());
  *out = &exported->managed;
  return DLSPEC_INFINIOP_NONE;
}

}  // namespace

extern "C" {

infiniStatus_t dlspecInfiniopFromDLPackVersioned(infiniopTensorDescriptor_t* descriptor, void** data,
                                                 const void* managed, int writable,
                                                 dlspecInfiniopReason* reason) noexcept {
  if (data != nullptr) *data = nullptr;
  if (descriptor == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  *descriptor = nullptr;
  if (managed == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  const auto& tensor = *static_cast<const abi::v1::ManagedTensor*>(managed);
  const Reason fault = judge_prefix(tensor, writable != 0);
  if (fault != DLSPEC_INFINIOP_NONE) return answer(fault, reason);
  return answer(import(tensor.dl_tensor, tensor.version.minor >= 2, descriptor, data), reason);
}

infiniStatus_t dlspecInfiniopFromDLPack(infiniopTensorDescriptor_t* descriptor, void** data, const void* managed,
                                        dlspecInfiniopReason* reason) noexcept {
  if (data != nullptr) *data = nullptr;
  if (descriptor == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  *descriptor = nullptr;
  if (managed == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  return answer(import(static_cast<const abi::v0::ManagedTensor*>(managed)->dl_tensor, false, descriptor, data),
                reason);
}

infiniStatus_t dlspecInfiniopToDLPackVersioned(infiniopTensorDescriptor_t descriptor, void* data, int read_only,
                                               void (*release)(void*), void* owner, void** managed,
                                               dlspecInfiniopReason* reason) noexcept {
  if (managed == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  *managed = nullptr;
  abi::v1::ManagedTensor* exported = nullptr;
  const Reason fault = export_as(descriptor, data, release, owner, &exported);
  if (fault != DLSPEC_INFINIOP_NONE) return answer(fault, reason);
  exported->version = {1, 2};
  exported->flags = read_only != 0 ? dlspec::flags::read_only : 0;
  *managed = exported;
  return answer(DLSPEC_INFINIOP_NONE, reason);
}

infiniStatus_t dlspecInfiniopToDLPack(infiniopTensorDescriptor_t descriptor, void* data, void (*release)(void*),
                                      void* owner, void** managed, dlspecInfiniopReason* reason) noexcept {
  if (managed == nullptr) return answer(DLSPEC_INFINIOP_MISSING, reason);
  *managed = nullptr;
  abi::v0::ManagedTensor* exported = nullptr;
  const Reason fault = export_as(descriptor, data, release, owner, &exported);
  *managed = exported;
  return answer(fault, reason);
}

}  // extern "C"
