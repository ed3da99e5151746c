// The InfiniOP library as a subject: descriptors made from DLPack tensors, contents read by Rearrange; arrays
// laid out by Rearrange and exported from their descriptors.
#include <memory>
#include <vector>

#include <dlspec/infiniop/infinirt.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/infini.h>

#include "infiniop_calls.h"

namespace {

using namespace dlspec::subjects;  // NOLINT: dlspec_plugin below is outside of every namespace
namespace abi = dlspec::abi;

// Elements from the start of the memory to one past the last, for an array that begins `offset` elements in.
std::int64_t elements_needed(const DlspecSpec& spec) {
  std::int64_t last = spec.offset, compact = 1;
  for (std::int32_t axis = spec.ndim; axis-- > 0;) {
    if (spec.shape[axis] == 0) return 0;
    const std::int64_t stride = spec.strides != nullptr ? spec.strides[axis] : compact;
    if (stride > 0) last += (spec.shape[axis] - 1) * stride;
    compact *= spec.shape[axis];
  }
  return last + 1;
}

int refuse(const char** reason, const char* why) {
  *reason = why;
  return DLSPEC_UNSUPPORTED;
}

void free_memory(void* memory) { infinirtFree(memory); }

// The elements in C order, one by one, as scalars: no copy may write to a view whose elements share memory, though a
// view of memory that is there may be like that.
infiniStatus_t write_each(const DlspecSpec& spec, int dtype, std::size_t size, char* first) {
  const Descriptor scalar(0, nullptr, nullptr, dtype);
  const Copy copy(scalar.get(), scalar.get());
  const auto* from = static_cast<const char*>(spec.bytes);
  std::vector<std::int64_t> index(static_cast<std::size_t>(spec.ndim));
  for (std::size_t left = spec.byte_count / size; left-- > 0; from += size) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * spec.strides[axis];
    const infiniStatus_t status = copy.run(first + offset * static_cast<std::int64_t>(size), from);
    if (status != INFINI_STATUS_SUCCESS) return status;
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < spec.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t write(const DlspecSpec& spec, const Descriptor& array, int dtype, std::size_t size, char* first) {
  const Descriptor given(spec.ndim, spec.shape, nullptr, dtype);
  const infiniStatus_t status = Copy(array.get(), given.get()).run(first, spec.bytes);
  return status == INFINI_STATUS_BAD_TENSOR_STRIDES ? write_each(spec, dtype, size, first) : status;
}

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int dtype = dtype_of(spec->code, spec->bits, spec->lanes);
  if (dtype == 0) return refuse(reason, "InfiniOP has no such data type");
  if (spec->device_type != 1) return refuse(reason, "only the CPU");
  if (spec->read_only && generation == DLSPEC_LEGACY)
    return refuse(reason, "a legacy struct cannot say that it is read-only");
  const Descriptor array(spec->ndim, spec->shape, spec->strides, dtype);
  if (array.get() == nullptr) return refuse(reason, "no descriptor can be made");
  const auto size = static_cast<std::size_t>(dlspec::infini_dtype_table[dtype].bytes);
  void* memory = nullptr;
  if (infinirtMalloc(&memory, static_cast<std::size_t>(elements_needed(*spec)) * size) != INFINI_STATUS_SUCCESS)
    return DLSPEC_ERROR;
  char* const first =
      static_cast<char*>(memory) + (spec->byte_count != 0 ? static_cast<std::size_t>(spec->offset) * size : 0);
  infiniStatus_t status = write(*spec, array, dtype, size, first);
  if (status == INFINI_STATUS_SUCCESS && generation == DLSPEC_VERSIONED) {
    status =
        dlspecInfiniopToDLPackVersioned(array.get(), first, spec->read_only, free_memory, memory, exported, nullptr);
  } else if (status == INFINI_STATUS_SUCCESS) {
    status = dlspecInfiniopToDLPack(array.get(), first, free_memory, memory, exported, nullptr);
  }
  if (status == INFINI_STATUS_SUCCESS) return DLSPEC_OK;
  free_memory(memory);
  return refuse(reason, describe(static_cast<dlspec::InfiniStatus>(status)));
}

struct Imported {
  void* exported;
  int generation;
  infiniopTensorDescriptor_t descriptor;
  void* data;
};

void call_deleter(void* exported, int generation) {
  if (generation == DLSPEC_VERSIONED) {
    auto* const managed = static_cast<abi::v1::ManagedTensor*>(exported);
    if (managed->deleter != nullptr) managed->deleter(managed);
  } else {
    auto* const managed = static_cast<abi::v0::ManagedTensor*>(exported);
    if (managed->deleter != nullptr) managed->deleter(managed);
  }
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  auto imported = std::make_unique<Imported>(Imported{exported, generation, nullptr, nullptr});
  dlspecInfiniopReason why = DLSPEC_INFINIOP_NONE;
  if (generation == DLSPEC_VERSIONED) {
    static_cast<void>(dlspecInfiniopFromDLPackVersioned(&imported->descriptor, &imported->data, exported, 0, &why));
  } else {
    static_cast<void>(dlspecInfiniopFromDLPack(&imported->descriptor, &imported->data, exported, &why));
  }
  if (why != DLSPEC_INFINIOP_NONE) {
    call_deleter(exported, generation);
    return refuse(reason, text_of(why));
  }
  *array = imported.release();
  return DLSPEC_OK;
}

int contents(void* array, void* bytes, std::size_t) {
  const Imported& imported = *static_cast<Imported*>(array);
  const abi::Tensor& tensor = imported.generation == DLSPEC_VERSIONED
                                  ? static_cast<abi::v1::ManagedTensor*>(imported.exported)->dl_tensor
                                  : static_cast<abi::v0::ManagedTensor*>(imported.exported)->dl_tensor;
  const Descriptor compact(tensor.ndim, tensor.shape, nullptr,
                           dtype_of(tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes));
  return Copy(compact.get(), imported.descriptor).run(bytes, imported.data) == INFINI_STATUS_SUCCESS ? DLSPEC_OK
                                                                                                     : DLSPEC_ERROR;
}

void release(void* array) {
  const std::unique_ptr<Imported> imported(static_cast<Imported*>(array));
  infiniopDestroyTensorDescriptor(imported->descriptor);
  call_deleter(imported->exported, imported->generation);
}

constexpr DlspecPlugin plugin = {
    DLSPEC_PLUGIN_VERSION, sizeof plugin, "InfiniOP (dlspec)", "0.1.0", make, import_tensor, contents, release,
    &infiniop_bridge,      nullptr};

}  // namespace

const DlspecPlugin* dlspec_plugin() { return &plugin; }
