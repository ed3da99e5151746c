#include <algorithm>
#include <type_traits>

#include <dlspec/infiniop/infinirt.h>
#include <dlspec/optimized/descriptor/strided.h>

#include "objects.h"

namespace dlspec::infiniop {

InfiniopTensorDescriptor* make_tensor(int dtype, std::span<const std::int64_t> shape,
                                      const std::int64_t* strides) noexcept {
  auto* const tensor = make<InfiniopTensorDescriptor>(2 * shape.size() * sizeof(std::int64_t));
  if (tensor == nullptr) return nullptr;
  tensor->dtype = dtype;
  tensor->rank = shape.size();
  std::copy(shape.begin(), shape.end(), tensor->numbers());
  if (strides != nullptr) {
    std::copy_n(strides, shape.size(), tensor->strides());
  } else {
    optimized::write_compact_strides(shape, tensor->strides());
  }
  return tensor;
}

}  // namespace dlspec::infiniop

using namespace dlspec::infiniop;  // NOLINT: the C functions below are in no namespace

extern "C" {

infiniStatus_t infiniopCreateHandle(infiniopHandle_t* handle) noexcept {
  if (handle == nullptr) return INFINI_STATUS_NULL_POINTER;
  *handle = nullptr;
  infiniDevice_t device = INFINI_DEVICE_CPU;
  int device_id = 0;
  if (const infiniStatus_t refused = infinirtGetDevice(&device, &device_id); refused != INFINI_STATUS_SUCCESS)
    return refused;
  auto* const made = make<InfiniopHandle>();
  if (made == nullptr) return INFINI_STATUS_INTERNAL_ERROR;
  made->device = device;
  made->device_id = device_id;
  *handle = made;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infiniopDestroyHandle(infiniopHandle_t handle) noexcept {
  return handle == nullptr ? INFINI_STATUS_NULL_POINTER : destroy(handle);
}

infiniStatus_t infiniopCreateTensorDescriptor(infiniopTensorDescriptor_t* descriptor, size_t ndim, const size_t* shape,
                                              const ptrdiff_t* strides, infiniDtype_t dtype) noexcept {
  if (descriptor == nullptr) return INFINI_STATUS_NULL_POINTER;
  *descriptor = nullptr;
  const dlspec::InfiniStatus status = dlspec::optimized::judge_arguments(ndim, shape, strides, dtype);
  if (status != dlspec::InfiniStatus::success) return to_c(status);
  static_assert(sizeof(size_t) == sizeof(std::int64_t) && sizeof(ptrdiff_t) == sizeof(std::int64_t));
  *descriptor = make_tensor(dtype, {reinterpret_cast<const std::int64_t*>(shape), ndim},
                            reinterpret_cast<const std::int64_t*>(strides));
  return *descriptor != nullptr ? INFINI_STATUS_SUCCESS : INFINI_STATUS_INTERNAL_ERROR;
}

infiniStatus_t infiniopDestroyTensorDescriptor(infiniopTensorDescriptor_t descriptor) noexcept {
  return descriptor == nullptr ? INFINI_STATUS_SUCCESS : destroy(descriptor);
}

}  // extern "C"
