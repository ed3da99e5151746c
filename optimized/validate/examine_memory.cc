#include <algorithm>

#include <dlspec/optimized/validate/examine.h>

namespace dlspec::optimized {
namespace {

// Misalignment of an array's address for int64_t.
std::int64_t misalignment(const std::int64_t* array) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array) % natural_alignment);
}

}  // namespace

void Examination::judge_shape() {
  const std::int32_t ndim = tensor_->ndim;
  if (ndim == 0) {
    extents_known_ = true;
    return;
  }
  if (ndim < 0 || ndim > max_rank) return;
  if (tensor_->shape == nullptr) return report(RuleId::tensor_shape_nonnull, 0, ndim);
  if (const std::int64_t excess = misalignment(tensor_->shape); excess != 0) {
    return report(RuleId::abi_shape_int64, 0, excess);
  }
  shape_ = {tensor_->shape, static_cast<std::size_t>(ndim)};
  const auto negative = std::find_if(shape_.begin(), shape_.end(), [](std::int64_t extent) { return extent < 0; });
  if (negative != shape_.end()) {
    report(RuleId::tensor_extent_nonnegative, 0, *negative, 0, static_cast<std::int32_t>(negative - shape_.begin()));
    return;
  }
  extents_known_ = true;
  empty_ = std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
}

void Examination::judge_strides() {
  if (tensor_->ndim <= 0 || tensor_->ndim > max_rank) return;
  if (const std::int64_t excess = misalignment(tensor_->strides); excess != 0) {
    report(RuleId::abi_shape_int64, 1, excess);  // what was found of the shape stands: one finding per rule
  } else {
    strides_ = tensor_->strides;
  }
}

void Examination::judge_size() {
  if (!extents_known_ || empty_) return;
  std::int64_t count = 0;
  if (count_elements(shape_, count) != Status::ok) return report(RuleId::tensor_numel_no_overflow, 0);
  if (element_bits_ == 0) return;
  if (!fits_in_bytes(count, element_bits_)) return report(RuleId::tensor_numel_no_overflow, 1);
  const bool strides_known = shape_.empty() || strides_ != nullptr || tensor_->strides == nullptr;
  if (!strides_known) return;
  const Reach reach = reach_of(shape_, shape_.empty() ? nullptr : strides_, count);
  if (!fits_in_bytes(reach.span(), element_bits_)) return report(RuleId::tensor_strides_no_overflow, 0);
  begin_ = floor_bytes(reach.low * element_bits_);
  end_ = ceil_bytes((reach.high + 1) * element_bits_);
  judge_span();
}

// The span in bytes is possible: does it also fit the address space?
void Examination::judge_span() {
  placed_ = true;
  if (device_->data == DeviceData::address) {
    if (tensor_->data != nullptr) judge_addresses();
  } else if (device_->data == DeviceData::handle) {
    judge_buffer();
  }
}

void Examination::judge_addresses() {
  const Wide start = first_element();
  if (start > largest_uint64 || start + begin_ < 0 || start + end_ > largest_uint64 + 1) {
    placed_ = false;
    return report(RuleId::tensor_strides_no_overflow, 1);
  }
  if (tensor_->device.device_type == kDLCPU && start + begin_ < lowest_host_address) {
    placed_ = false;
    report(RuleId::device_cpu_dereferenceable, 0, static_cast<std::int64_t>(start + begin_));
  }
}

void Examination::judge_buffer() {
  const Wide start = tensor_->byte_offset;
  if (start + begin_ >= 0 && start + end_ <= largest_uint64) return;
  placed_ = false;
  report(RuleId::tensor_strides_no_overflow, 2);
}

void Examination::judge_data() {
  if (!extents_known_) return;
  if (empty_) {
    if (tensor_->data != nullptr) report(RuleId::tensor_data_null_when_empty);
    return;
  }
  if (device_->data != DeviceData::address) return;
  if (tensor_->data == nullptr) {
    if (tensor_->ndim > 0) report(RuleId::tensor_data_nonnull_nonempty);
  } else if (data() % data_alignment != 0) {
    report(RuleId::tensor_data_256_aligned, 0, static_cast<std::int64_t>(data() % data_alignment));
  }
}

}  // namespace dlspec::optimized
