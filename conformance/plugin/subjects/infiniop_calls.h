// What both parts of the InfiniOP subject call: its functions in dlspec's terms.
#pragma once

#include <cstdint>

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/plugin.h>

namespace dlspec::subjects {

// InfiniOP's number of a dtype of DLPack; 0: it has none, and InfiniOP itself refuses that number.
[[nodiscard]] int dtype_of(int code, int bits, int lanes);

// A descriptor, destroyed at the end of its scope; NULL when it is refused. NULL strides: compact.
class Descriptor {
 public:
  Descriptor(std::int32_t ndim, const std::int64_t* shape, const std::int64_t* strides, int dtype);
  ~Descriptor() { infiniopDestroyTensorDescriptor(made_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] infiniopTensorDescriptor_t get() const { return made_; }

 private:
  infiniopTensorDescriptor_t made_ = nullptr;
};

// A copy, prepared once, run as often as wanted, and destroyed at the end of its scope.
class Copy {
 public:
  Copy(infiniopTensorDescriptor_t dst, infiniopTensorDescriptor_t src);
  ~Copy();
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  // The status of the first call that failed.
  [[nodiscard]] infiniStatus_t run(void* to, const void* from) const;

 private:
  infiniopHandle_t handle_ = nullptr;
  infiniopRearrangeDescriptor_t operation_ = nullptr;
  infiniStatus_t status_;
};

[[nodiscard]] const char* text_of(dlspecInfiniopReason reason);

// Its tensor descriptors and Rearrange.
extern const DlspecBridge infiniop_bridge;

}  // namespace dlspec::subjects
