#include <dlspec/optimized/rearrange/rearrange.h>

#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/vocabulary/dtype.h>

#include "objects.h"

namespace {

using namespace dlspec::infiniop;  // NOLINT: the C functions below are in no namespace
using dlspec::Status;
using dlspec::optimized::View;

// A bitwise copy needs only the element size. This also covers data types that DLPack does not have.
View view_of(InfiniopTensorDescriptor& tensor) {
  const auto bits = static_cast<std::uint8_t>(8 * tensor.row().bytes);
  return {{dlspec::kDLUInt, bits, 1}, tensor.shape(), tensor.strides()};
}

infiniStatus_t status_of_plan(Status status) {
  switch (status) {
    case Status::ok: return INFINI_STATUS_SUCCESS;
    case Status::dtype_mismatch: return INFINI_STATUS_BAD_TENSOR_DTYPE;
    case Status::shape_mismatch: return INFINI_STATUS_BAD_TENSOR_SHAPE;
    case Status::destination_overlap: return INFINI_STATUS_BAD_TENSOR_STRIDES;
    default: return INFINI_STATUS_INTERNAL_ERROR;  // descriptors rule out the other statuses
  }
}

infiniStatus_t status_of_copy(Status status) {
  switch (status) {
    case Status::ok: return INFINI_STATUS_SUCCESS;
    case Status::null_pointer: return INFINI_STATUS_NULL_POINTER;
    default: return INFINI_STATUS_BAD_PARAM;  // an overlap, or elements outside the address space
  }
}

infiniStatus_t status_of_launch(const dlspec::optimized::cuda::Outcome& outcome) {
  using dlspec::optimized::cuda::Launch;
  switch (outcome.launch) {
    case Launch::ok: return INFINI_STATUS_SUCCESS;
    case Launch::refused: return status_of_copy(outcome.status);
    case Launch::no_library: return INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED;
    case Launch::no_device: return INFINI_STATUS_DEVICE_NOT_FOUND;
    case Launch::not_device_memory: return INFINI_STATUS_BAD_PARAM;
    case Launch::wrong_architecture: return INFINI_STATUS_DEVICE_ARCHITECTURE_NOT_SUPPORTED;
    case Launch::failed: break;
  }
  return INFINI_STATUS_INTERNAL_ERROR;
}

Status plan_for(InfiniopRearrangeDescriptor& operation, const View& dst, const View& src) {
  if (operation.device == INFINI_DEVICE_CPU)
    return make_plan(dst, src, std::get<dlspec::optimized::Plan>(operation.plan));
  return make_plan(dst, src, operation.plan.emplace<dlspec::optimized::cuda::Rearrangement>());
}

infiniStatus_t run(const InfiniopRearrangeDescriptor& operation, void* dst, const void* src, void* stream) {
  if (const auto* const plan = std::get_if<dlspec::optimized::Plan>(&operation.plan)) {
    return status_of_copy(execute(*plan, dst, src));
  }
  return status_of_launch(
      execute(*std::get_if<dlspec::optimized::cuda::Rearrangement>(&operation.plan), dst, src, stream));
}

// True if [start, start + bytes) contains this range around `data`.
bool holds(const dlspecInfiniopBuffer& buffer, const void* data, const dlspec::optimized::ByteRange& range) {
  using dlspec::optimized::Wide;
  const Wide distance =
      Wide{reinterpret_cast<std::uintptr_t>(data)} - Wide{reinterpret_cast<std::uintptr_t>(buffer.start)};
  return distance + range.begin >= 0 && distance + range.end <= Wide{buffer.bytes};
}

}  // namespace

extern "C" {

infiniStatus_t infiniopCreateRearrangeDescriptor(infiniopHandle_t handle, infiniopRearrangeDescriptor_t* operation,
                                                 infiniopTensorDescriptor_t dst,
                                                 infiniopTensorDescriptor_t src) noexcept {
  if (operation == nullptr) return INFINI_STATUS_NULL_POINTER;
  *operation = nullptr;
  if (handle == nullptr || dst == nullptr || src == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (!is_live(handle) || !is_live(dst) || !is_live(src)) return INFINI_STATUS_BAD_PARAM;
  if (dst->dtype != src->dtype) return INFINI_STATUS_BAD_TENSOR_DTYPE;
  auto* const made = make<InfiniopRearrangeDescriptor>();
  if (made == nullptr) return INFINI_STATUS_INTERNAL_ERROR;
  made->device = handle->device;
  made->device_id = handle->device_id;
  const infiniStatus_t status = status_of_plan(plan_for(*made, view_of(*dst), view_of(*src)));
  if (status != INFINI_STATUS_SUCCESS) {
    static_cast<void>(destroy(made));
    return status;
  }
  *operation = made;
  return status;
}

infiniStatus_t infiniopRearrange(infiniopRearrangeDescriptor_t operation, void* dst, const void* src,
                                 void* stream) noexcept {
  if (operation == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (!is_live(operation)) return INFINI_STATUS_BAD_PARAM;
  return run(*operation, dst, src, stream);
}

infiniStatus_t dlspecInfiniopRearrangeSized(infiniopRearrangeDescriptor_t operation, void* dst,
                                            dlspecInfiniopBuffer dst_buffer, const void* src,
                                            dlspecInfiniopBuffer src_buffer, void* stream) noexcept {
  if (operation == nullptr) return INFINI_STATUS_NULL_POINTER;
  if (!is_live(operation)) return INFINI_STATUS_BAD_PARAM;
  const dlspec::optimized::Geometry& geometry = operation->geometry();
  if (geometry.bytes == 0) return INFINI_STATUS_SUCCESS;
  if (dst == nullptr || src == nullptr) return INFINI_STATUS_NULL_POINTER;
  const bool inside = holds(dst_buffer, dst, geometry.to_range) && holds(src_buffer, src, geometry.from_range);
  return inside ? run(*operation, dst, src, stream) : INFINI_STATUS_BAD_PARAM;
}

infiniStatus_t infiniopDestroyRearrangeDescriptor(infiniopRearrangeDescriptor_t operation) noexcept {
  return operation == nullptr ? INFINI_STATUS_NULL_POINTER : destroy(operation);
}

infiniStatus_t infiniopGetDescriptorDeviceType(const void* operation, infiniDevice_t* device) noexcept {
  if (operation == nullptr || device == nullptr) return INFINI_STATUS_NULL_POINTER;
  const auto* const known = static_cast<const InfiniopRearrangeDescriptor*>(operation);
  if (!is_live(known)) return INFINI_STATUS_BAD_PARAM;
  *device = known->device;
  return INFINI_STATUS_SUCCESS;
}

infiniStatus_t infiniopGetDescriptorDeviceId(const void* operation, int* device_id) noexcept {
  if (operation == nullptr || device_id == nullptr) return INFINI_STATUS_NULL_POINTER;
  const auto* const known = static_cast<const InfiniopRearrangeDescriptor*>(operation);
  if (!is_live(known)) return INFINI_STATUS_BAD_PARAM;
  *device_id = known->device_id;
  return INFINI_STATUS_SUCCESS;
}

}  // extern "C"
