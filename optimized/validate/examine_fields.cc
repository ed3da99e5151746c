#include <dlspec/optimized/validate/examine.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::optimized {

void Examination::judge_fields() {
  judge_device();
  judge_dtype();
  element_bits_ = stored_bits();
  if (versioned_) judge_flags();
  judge_rank();
}

void Examination::judge_device() {
  const auto [type, id] = tensor_->device;
  device_ = &traits_of(type);
  const std::int32_t low_byte = type & 0xFF;
  if (!device_->listed) {
    if (traits_of(low_byte).released) {  // the whole type is unlisted, but its low byte is a released one
      report(RuleId::abi_device_type_32bit, 0, type, low_byte);
    } else if (newer()) {
      report(RuleId::device_type_known, 1, type, minor_);
    } else {
      report(RuleId::device_type_known, 0, type);
    }
  } else if (!device_->released) {
    report(RuleId::device_type_known, 2, type);
  } else if (versioned_ && device_->since_minor > minor_) {
    report(RuleId::version_truthful_minor, 0, type, minor_);
  }
  if (device_->host && id > 0) report(RuleId::device_id_zero_host, 0, id, type);
  if (id < 0) report(RuleId::device_id_nonnegative, 0, id);
}

void Examination::judge_dtype() {
  const std::size_t before = findings_.size();
  if (tensor_->dtype.lanes == 0) report(RuleId::dtype_lanes_positive);
  if (tensor_->dtype.code == kDLOpaqueHandle) report(RuleId::dtype_opaque_refused);
  judge_dtype_width();
  // After the count, because version_truthful_minor, which judge_dtype_code may report, is no dtype rule.
  dtype_in_order_ = findings_.size() == before;
  judge_dtype_code();
}

void Examination::judge_dtype_width() {
  const auto [code, bits, lanes] = tensor_->dtype;
  const std::optional<RuleId> rule = violated_by_width(code, bits);
  if (!rule) return;
  switch (*rule) {
    case RuleId::dtype_bits_nonzero: return report(*rule, 0, code);
    case RuleId::dtype_bits_overflow_refused: return report(*rule);
    case RuleId::dtype_fp8_bits_8:
    case RuleId::dtype_fp6_bits_6: return report(*rule, 0, bits, code);
    default: return report(*rule, 0, bits);
  }
}

void Examination::judge_dtype_code() {
  const std::uint8_t code = tensor_->dtype.code;
  const DtypeTraits traits = code < dtype_slots ? dtype_traits[code] : DtypeTraits{};
  if (traits.released) {
    if (versioned_ && traits.since_minor > minor_) report(RuleId::version_truthful_minor, 1, code, minor_);
    return;
  }
  dtype_in_order_ = false;
  if (traits.listed) {
    report(RuleId::dtype_code_known, 2, code);
  } else if (newer()) {
    report(RuleId::dtype_code_known, 1, code, minor_);
  } else {
    report(RuleId::dtype_code_known, 0, code);
  }
}

// Bits from one element to the next in memory; 0 if the dtype does not determine it.
std::uint32_t Examination::stored_bits() const {
  const abi::DataType dtype = tensor_->dtype;
  const bool padded = minor_ > 0 && (flags_ & flags::subbyte_padded) != 0;
  if (padded && dtype.bits > 0 && is_subbyte(dtype)) return 8u * dtype.lanes;
  return element_bits(dtype);
}

void Examination::judge_flags() {
  if (const std::uint64_t undefined = flags_ & ~flags::defined; undefined != 0) {
    const auto value = static_cast<std::int64_t>(undefined);
    if (newer()) {
      report(RuleId::flags_undefined_bits_zero, 1, value, minor_);
    } else {
      report(RuleId::flags_undefined_bits_zero, 0, value);
    }
  }
  judge_padded_flag();
}

// In version 1.0 bit 2 has no meaning yet: only its presence can be wrong.
void Examination::judge_padded_flag() {
  const bool padded = (flags_ & flags::subbyte_padded) != 0;
  const std::uint8_t bits = tensor_->dtype.bits;
  if (minor_ == 0) {
    if (padded) report(RuleId::version_truthful_minor, 2);
    return;
  }
  if (padded && bits >= 8) report(RuleId::flags_padded_only_subbyte, 0, bits);
  if (!padded && origin_ != nullptr && origin_->padded && bits > 0 && bits < 8) {
    report(RuleId::flags_padded_set_when_padded, 0, bits);
  }
}

void Examination::judge_rank() {
  const std::int32_t ndim = tensor_->ndim;
  if (ndim < 0) report(RuleId::tensor_ndim_nonnegative, 0, ndim);
  if (ndim > max_rank) report(RuleId::tensor_ndim_cap_refused, 0, ndim);
  if (ndim == 0 && device_->data == DeviceData::address && tensor_->data == nullptr)
    report(RuleId::tensor_ndim0_is_scalar);
  if (ndim > 0 && tensor_->strides == nullptr && versioned_ && minor_ >= 2) {
    report(RuleId::tensor_strides_not_null, 0, ndim, minor_);
  }
}

}  // namespace dlspec::optimized
