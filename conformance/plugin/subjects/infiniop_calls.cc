#include "infiniop_calls.h"

#include <vector>

#include <dlspec/vocabulary/infini.h>

namespace dlspec::subjects {

int dtype_of(int code, int bits, int lanes) {
  for (const InfiniDtypeRow& row : infini_dtype_table) {
    const bool same = row.dlpack.code == code && row.dlpack.bits == bits && lanes == 1;
    if (same && row.bridge == InfiniBridge::exact) return row.number;
  }
  return 0;
}

Descriptor::Descriptor(std::int32_t ndim, const std::int64_t* shape, const std::int64_t* strides, int dtype) {
  const std::vector<std::size_t> sizes(shape, shape + ndim);
  const std::vector<std::ptrdiff_t> steps(strides, strides != nullptr ? strides + ndim : strides);
  static_cast<void>(infiniopCreateTensorDescriptor(&made_, sizes.size(), sizes.data(),
                                                   strides != nullptr ? steps.data() : nullptr,
                                                   static_cast<infiniDtype_t>(dtype)));
}

Copy::Copy(infiniopTensorDescriptor_t dst, infiniopTensorDescriptor_t src) : status_(infiniopCreateHandle(&handle_)) {
  if (status_ == INFINI_STATUS_SUCCESS) status_ = infiniopCreateRearrangeDescriptor(handle_, &operation_, dst, src);
}

Copy::~Copy() {
  if (operation_ != nullptr) infiniopDestroyRearrangeDescriptor(operation_);
  if (handle_ != nullptr) infiniopDestroyHandle(handle_);
}

infiniStatus_t Copy::run(void* to, const void* from) const {
  return status_ != INFINI_STATUS_SUCCESS ? status_ : infiniopRearrange(operation_, to, from, nullptr);
}

const char* text_of(dlspecInfiniopReason reason) {
  static constexpr const char* texts[] = {"",
                                          "something is missing",
                                          "another major version",
                                          "an unknown flag",
                                          "not readable by the CPU",
                                          "InfiniOP has no such data type",
                                          "several lanes",
                                          "padded elements",
                                          "the rank",
                                          "the shape",
                                          "NULL strides",
                                          "the strides",
                                          "the byte offset",
                                          "read-only",
                                          "no memory",
                                          "no descriptor"};
  return texts[reason];
}

}  // namespace dlspec::subjects
