// The InfiniOP library's tensor descriptors and Rearrange, handed out as they are.
#include <dlspec/vocabulary/infini.h>

#include "infiniop_calls.h"

namespace dlspec::subjects {
namespace {

int answer(DlspecRefusal* refusal, infiniStatus_t status, const char* reason = nullptr) {
  if (status == INFINI_STATUS_SUCCESS) return DLSPEC_OK;
  refusal->status = status;
  refusal->reason = reason != nullptr ? reason : describe(static_cast<InfiniStatus>(status));
  return status == INFINI_STATUS_INTERNAL_ERROR ? DLSPEC_ERROR : DLSPEC_UNSUPPORTED;
}

int describe_tensor(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  const auto dtype = static_cast<infiniDtype_t>(dtype_of(description->code, description->bits, description->lanes));
  infiniopTensorDescriptor_t made = nullptr;
  const infiniStatus_t status =
      infiniopCreateTensorDescriptor(&made, description->ndim, description->shape, description->strides, dtype);
  *descriptor = made;
  return answer(refusal, status);
}

void destroy(void* descriptor) { infiniopDestroyTensorDescriptor(static_cast<infiniopTensorDescriptor_t>(descriptor)); }

int from_dlpack(const void* exported, int generation, int writable, void** descriptor, void** data,
                DlspecRefusal* refusal) {
  infiniopTensorDescriptor_t made = nullptr;
  dlspecInfiniopReason why = DLSPEC_INFINIOP_NONE;
  const infiniStatus_t status = generation == DLSPEC_VERSIONED
                                    ? dlspecInfiniopFromDLPackVersioned(&made, data, exported, writable, &why)
                                    : dlspecInfiniopFromDLPack(&made, data, exported, &why);
  *descriptor = made;
  return answer(refusal, status, text_of(why));
}

infiniopTensorDescriptor_t tensor_of(const void* descriptor) {
  return static_cast<infiniopTensorDescriptor_t>(const_cast<void*>(descriptor));
}

int to_dlpack(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
  dlspecInfiniopReason why = DLSPEC_INFINIOP_NONE;
  const infiniStatus_t status =
      generation == DLSPEC_VERSIONED
          ? dlspecInfiniopToDLPackVersioned(tensor_of(descriptor), data, 0, nullptr, nullptr, exported, &why)
          : dlspecInfiniopToDLPack(tensor_of(descriptor), data, nullptr, nullptr, exported, &why);
  return answer(refusal, status, text_of(why));
}

int rearrange(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return answer(refusal, Copy(tensor_of(to), tensor_of(from)).run(to_data, from_data));
}

}  // namespace

const DlspecBridge infiniop_bridge = {sizeof(DlspecBridge), describe_tensor, destroy,
                                      from_dlpack,          to_dlpack,       rearrange};

}  // namespace dlspec::subjects
