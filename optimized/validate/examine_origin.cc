#include <algorithm>

#include <dlspec/optimized/validate/examine.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::optimized {
namespace {

// fp4 is exported in two ways, as one nibble per element or as a pair; extents differ accordingly.
bool is_fp4_pair(abi::DataType source, abi::DataType exported) {
  return source == abi::DataType{kDLFloat4_e2m1fn, 4, 1} && exported == abi::DataType{kDLFloat4_e2m1fn, 4, 2};
}

bool is_bool_as_uint8(abi::DataType source, abi::DataType exported) {
  return source == abi::DataType{kDLBool, 8, 1} && exported == abi::DataType{kDLUInt, 8, 1};
}

// Half the bits of a complex source: real and imaginary parts as lanes, or lost.
bool is_half_of_complex(abi::DataType source, abi::DataType exported) {
  const bool whole = source == abi::DataType{kDLComplex, 64, 1} || source == abi::DataType{kDLComplex, 128, 1};
  return whole && exported.code == kDLComplex && exported.bits * 2 == source.bits &&
         (exported.lanes == 1 || exported.lanes == 2);
}

}  // namespace

void Examination::judge_truth() {
  if (versioned_) judge_true_flags();
  if (origin_->layout != nullptr) {
    judge_true_dtype();
    judge_true_shape();
    judge_stride_unit();
  }
  judge_allocation();
}

void Examination::judge_true_flags() {
  const bool read_only = (flags_ & flags::read_only) != 0;
  const bool copied = (flags_ & flags::is_copied) != 0;
  if (origin_->read_only == Known::yes && !read_only && !copied) report(RuleId::flags_read_only_set);
  if (origin_->read_only == Known::no && read_only) report(RuleId::flags_read_only_truthful);
  if (origin_->copied == Known::yes && !copied) report(RuleId::flags_is_copied_set);
  if (origin_->copied == Known::no && copied) report(RuleId::flags_is_copied_honest);
}

void Examination::judge_true_dtype() {
  const abi::DataType source = origin_->layout->dtype;
  const abi::DataType dtype = tensor_->dtype;
  if (source == dtype) {
    if (has_folded_lanes()) report(RuleId::dtype_lanes_not_folded, 0, dtype.lanes);
    return;
  }
  if (!dtype_in_order_ || is_fp4_pair(source, dtype)) return;
  if (is_half_of_complex(source, dtype)) return report(RuleId::dtype_complex_total_bits, 1, dtype.bits, source.bits);
  report(RuleId::dtype_truthful, is_bool_as_uint8(source, dtype) ? 1 : 0, pack_dtype(dtype), pack_dtype(source));
}

// (3, 4) of float32x2 exported as (3, 8) or as (3, 4, 2).
bool Examination::has_folded_lanes() const {
  const std::int64_t lanes = tensor_->dtype.lanes;
  const std::span<const std::int64_t> source = origin_->layout->shape;
  if (lanes <= 1 || !extents_known_ || shape_.empty()) return false;
  if (shape_.size() == source.size() + 1) {
    return shape_.back() == lanes && std::equal(source.begin(), source.end(), shape_.begin());
  }
  if (shape_.size() != source.size() || source.back() == 0) return false;
  return std::equal(source.begin(), source.end() - 1, shape_.begin()) && Wide{source.back()} * lanes == shape_.back();
}

void Examination::judge_true_shape() {
  const std::span<const std::int64_t> source = origin_->layout->shape;
  if (!extents_known_ || is_fp4_pair(origin_->layout->dtype, tensor_->dtype)) return;
  if (findings_.contains(RuleId::tensor_numel_no_overflow) || findings_.contains(RuleId::dtype_lanes_not_folded))
    return;
  if (shape_.size() != source.size()) {
    return report(RuleId::tensor_shape_truthful, 0, tensor_->ndim, static_cast<std::int64_t>(source.size()));
  }
  const auto [here, there] = std::mismatch(shape_.begin(), shape_.end(), source.begin());
  if (here == shape_.end()) return;
  report(RuleId::tensor_shape_truthful, 1, *here, *there, static_cast<std::int32_t>(here - shape_.begin()));
}

// Strides in bytes instead of elements: every relevant stride is the source's times the element size.
void Examination::judge_stride_unit() {
  const Layout& source = *origin_->layout;
  const std::uint32_t unit = item_size(tensor_->dtype);
  if (!source.strides || !extents_known_ || empty_ || strides_ == nullptr || unit <= 1) return;
  if (source.dtype != tensor_->dtype || !std::ranges::equal(source.shape, shape_)) return;
  if (source.strides->size() != shape_.size()) return;
  std::size_t first = shape_.size();
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    if (shape_[axis] <= 1) continue;
    if (strides_[axis] != Wide{(*source.strides)[axis]} * unit) return;
    if (first == shape_.size() && strides_[axis] != 0) first = axis;
  }
  if (first == shape_.size()) return;
  report(RuleId::tensor_strides_unit, 0, strides_[first], (*source.strides)[first], static_cast<std::int32_t>(first));
}

void Examination::judge_allocation() {
  if (origin_->allocation_begin == 0 && origin_->allocation_end == 0) return;
  if (!placed_ || device_->data != DeviceData::address || tensor_->data == nullptr) return;
  for (const RuleId rule : {RuleId::tensor_shape_truthful, RuleId::dtype_lanes_not_folded, RuleId::dtype_truthful,
                            RuleId::tensor_strides_unit}) {
    if (findings_.contains(rule)) return;
  }
  const Wide before = Wide{origin_->allocation_begin} - (first_element() + begin_);
  const Wide beyond = first_element() + end_ - Wide{origin_->allocation_end};
  if (before > 0) return report(RuleId::tensor_in_allocation, 0, static_cast<std::int64_t>(before));
  if (beyond > 0) report(RuleId::tensor_in_allocation, 1, static_cast<std::int64_t>(beyond));
}

}  // namespace dlspec::optimized
