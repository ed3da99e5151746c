// The InfiniOP library as a subject: descriptors made from DLPack tensors, contents read by Rearrange; arrays
// laid out by Rearrange and exported from their descriptors.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/infiniop/infinirt.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/infini.h>

namespace {

namespace abi = dlspec::abi;

int dtype_of(int code, int bits, int lanes) {
  for (const dlspec::InfiniDtypeRow& row : dlspec::infini_dtype_table) {
    const bool same = row.dlpack.code == code && row.dlpack.bits == bits && lanes == 1;
    if (same && row.bridge == dlspec::InfiniBridge::exact) return row.number;
  }
  return 0;
}

// A descriptor that goes with its scope. NULL strides: compact.
class Descriptor {
 public:
  Descriptor(std::int32_t ndim, const std::int64_t* shape, const std::int64_t* strides, int dtype) {
    const std::vector<std::size_t> sizes(shape, shape + ndim);
    const std::vector<std::ptrdiff_t> steps(strides, strides != nullptr ? strides + ndim : strides);
    static_cast<void>(infiniopCreateTensorDescriptor(&made_, sizes.size(), sizes.data(), strides != nullptr ? steps.data() : nullptr,
                                                     static_cast<infiniDtype_t>(dtype)));
  }
  ~Descriptor() { infiniopDestroyTensorDescriptor(made_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] infiniopTensorDescriptor_t get() const { return made_; }

 private:
  infiniopTensorDescriptor_t made_ = nullptr;
};

bool rearrange(infiniopTensorDescriptor_t dst, void* to, infiniopTensorDescriptor_t src, const void* from) {
  infiniopHandle_t handle = nullptr;
  infiniopRearrangeDescriptor_t operation = nullptr;
  bool good = infiniopCreateHandle(&handle) == INFINI_STATUS_SUCCESS &&
              infiniopCreateRearrangeDescriptor(handle, &operation, dst, src) == INFINI_STATUS_SUCCESS &&
              infiniopRearrange(operation, to, from, nullptr) == INFINI_STATUS_SUCCESS;
  if (operation != nullptr) infiniopDestroyRearrangeDescriptor(operation);
  if (handle != nullptr) infiniopDestroyHandle(handle);
  return good;
}

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

void give_back(void* memory) { infinirtFree(memory); }

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int dtype = dtype_of(spec->code, spec->bits, spec->lanes);
  if (dtype == 0) return refuse(reason, "InfiniOP has no such data type");
  if (spec->device_type != 1) return refuse(reason, "only the CPU");
  if (spec->read_only && generation == DLSPEC_LEGACY) return refuse(reason, "a legacy struct cannot say that it is read-only");
  const Descriptor array(spec->ndim, spec->shape, spec->strides, dtype), given(spec->ndim, spec->shape, nullptr, dtype);
  if (array.get() == nullptr || given.get() == nullptr) return refuse(reason, "no descriptor can be made");
  const auto size = static_cast<std::size_t>(dlspec::infini_dtype_table[dtype].bytes);
  void* memory = nullptr;
  if (infinirtMalloc(&memory, static_cast<std::size_t>(elements_needed(*spec)) * size) != INFINI_STATUS_SUCCESS) return DLSPEC_ERROR;
  char* const first = static_cast<char*>(memory) + (spec->byte_count != 0 ? static_cast<std::size_t>(spec->offset) * size : 0);
  infiniStatus_t status = INFINI_STATUS_BAD_PARAM;
  if (!rearrange(array.get(), first, given.get(), spec->bytes)) {
    *reason = "elements that share memory cannot be written one by one";
  } else if (generation == DLSPEC_VERSIONED) {
    status = dlspecInfiniopToDLPackVersioned(array.get(), first, spec->read_only, give_back, memory, exported, nullptr);
  } else {
    status = dlspecInfiniopToDLPack(array.get(), first, give_back, memory, exported, nullptr);
  }
  if (status == INFINI_STATUS_SUCCESS) return DLSPEC_OK;
  give_back(memory);
  return DLSPEC_UNSUPPORTED;
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

const char* text_of(dlspecInfiniopReason reason) {
  static constexpr const char* texts[] = {"", "something is missing", "another major version", "an unknown flag", "not readable by the CPU",
                                          "InfiniOP has no such data type", "several lanes", "padded elements", "the rank", "the shape",
                                          "NULL strides", "the strides", "the byte offset", "read-only", "no memory", "no descriptor"};
  return texts[reason];
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
  const abi::Tensor& tensor = imported.generation == DLSPEC_VERSIONED ? static_cast<abi::v1::ManagedTensor*>(imported.exported)->dl_tensor
                                                                       : static_cast<abi::v0::ManagedTensor*>(imported.exported)->dl_tensor;
  const Descriptor compact(tensor.ndim, tensor.shape, nullptr, dtype_of(tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes));
  return rearrange(compact.get(), bytes, imported.descriptor, imported.data) ? DLSPEC_OK : DLSPEC_ERROR;
}

void release(void* array) {
  const std::unique_ptr<Imported> imported(static_cast<Imported*>(array));
  infiniopDestroyTensorDescriptor(imported->descriptor);
  call_deleter(imported->exported, imported->generation);
}

constexpr DlspecPlugin plugin = {DLSPEC_PLUGIN_VERSION, sizeof plugin, "InfiniOP (dlspec)", "0.1.0", make, import_tensor, contents, release};

}  // namespace

const DlspecPlugin* dlspec_plugin() { return &plugin; }
