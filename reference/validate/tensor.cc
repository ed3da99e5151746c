// tensor.*: rank, shape, strides, and the addresses of the elements.
#include <algorithm>
#include <limits>

#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {
namespace {

constexpr std::int64_t signed_limit = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t unsigned_limit = std::numeric_limits<std::uint64_t>::max();

// A distance between two addresses modulo 2^64: from 0 to 2^64 it is 0.
std::int64_t distance(const Wide& value) { return static_cast<std::int64_t>(value.to_uint64().value_or(0)); }

std::uintptr_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

// The elements leave the 2^64 bytes of the address space.
bool leaves_address_space(const Wide& start, const Reach& reach) {
  return start + reach.low_bytes < 0 || start + reach.high_bytes > Wide(unsigned_limit) + 1;
}

// The elements begin before the start of the handle's buffer, or end beyond what byte_offset can count.
bool leaves_buffer(const Wide& byte_offset, const Reach& reach) {
  return byte_offset + reach.low_bytes < 0 || byte_offset + reach.high_bytes > unsigned_limit;
}

// The origin's strides, one per extent, if it has any for this very shape.
const std::int64_t* source_strides(const Subject& subject) {
  const Layout* const source = subject.source_layout();
  if (source == nullptr || !source->strides || source->strides->size() != source->shape.size()) return nullptr;
  const auto shape = subject.shape();
  return std::equal(shape.begin(), shape.end(), source->shape.begin(), source->shape.end()) ? source->strides->data()
                                                                                            : nullptr;
}

// The elements have a known address, and no other finding reports the cause of a wrong one.
bool allocation_is_judged(const Subject& subject) {
  const Origin* const origin = subject.origin;
  const bool has_allocation = origin != nullptr && (origin->allocation_begin != 0 || origin->allocation_end != 0);
  if (!has_allocation || !subject.data_is_address() || subject.tensor.data == nullptr) return false;
  return !tensor_numel_no_overflow(subject) && !tensor_strides_no_overflow(subject) &&
         !device_cpu_dereferenceable(subject) && !tensor_shape_truthful(subject) && !dtype_lanes_not_folded(subject) &&
         !dtype_truthful(subject) && !tensor_strides_unit(subject);
}

}  // namespace

// A rank is not negative.
// Source: dlpack.h v1.2, DLTensor.ndim.
Answer tensor_ndim_nonnegative(const Subject& subject) {
  if (subject.tensor.ndim >= 0) return std::nullopt;
  return Finding{.rule = RuleId::tensor_ndim_nonnegative, .value = subject.tensor.ndim};
}

// A consumer with a limit on the rank refuses a higher one without reading the shape; dlspec's limit is max_rank.
// Source: dlpack.h v1.2, DLTensor.ndim.
Answer tensor_ndim_cap_refused(const Subject& subject) {
  if (subject.tensor.ndim <= max_rank) return std::nullopt;
  return Finding{.rule = RuleId::tensor_ndim_cap_refused, .value = subject.tensor.ndim};
}

// A tensor of rank 0 has one element, which has an address.
// Source: dlpack.h v1.2, DLTensor.data, size formula.
Answer tensor_ndim0_is_scalar(const Subject& subject) {
  const abi::Tensor& tensor = subject.tensor;
  if (tensor.ndim != 0 || tensor.data != nullptr || !subject.data_is_address()) return std::nullopt;
  return Finding{.rule = RuleId::tensor_ndim0_is_scalar};
}

// shape may be NULL for rank 0 only.
// Source: dlpack.h v1.2, DLTensor.shape.
Answer tensor_shape_nonnull(const Subject& subject) {
  if (!subject.has_axes() || subject.tensor.shape != nullptr) return std::nullopt;
  return Finding{.rule = RuleId::tensor_shape_nonnull, .value = subject.tensor.ndim};
}

// The shape is the source's own.
// Source: dlpack.h v1.2, DLTensor.shape.
Answer tensor_shape_truthful(const Subject& subject) {
  const Layout* const source = subject.source_layout();
  if (source == nullptr || !subject.extents_known() || is_fp4_pair(subject)) return std::nullopt;
  if (tensor_numel_no_overflow(subject) || dtype_lanes_not_folded(subject)) return std::nullopt;
  const auto shape = subject.shape();
  if (shape.size() != source->shape.size()) {
    const auto source_rank = static_cast<std::int64_t>(source->shape.size());
    return Finding{.rule = RuleId::tensor_shape_truthful, .value = subject.tensor.ndim, .other = source_rank};
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto index = static_cast<std::int32_t>(axis);
    if (shape[axis] != source->shape[axis]) {
      return Finding{RuleId::tensor_shape_truthful, 1, index, shape[axis], source->shape[axis]};
    }
  }
  return std::nullopt;
}

// No extent is negative.
// Source: dlpack.h v1.2, DLTensor.shape.
Answer tensor_extent_nonnegative(const Subject& subject) {
  if (!subject.shape_read()) return std::nullopt;
  const auto shape = subject.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 0) {
      return Finding{
          .rule = RuleId::tensor_extent_nonnegative, .axis = static_cast<std::int32_t>(axis), .value = shape[axis]};
    }
  }
  return std::nullopt;
}

// The number of elements, and of bytes where elements have a size, fits in int64_t as an extent does.
// Source: dlpack.h v1.2, DLTensor.shape and DLTensor.data, size formula.
Answer tensor_numel_no_overflow(const Subject& subject) {
  if (!subject.has_elements()) return std::nullopt;
  const Wide& count = subject.element_count();
  if (count > signed_limit) return Finding{.rule = RuleId::tensor_numel_no_overflow};
  if (subject.sized() && byte_size(count, subject.element_bits()) > signed_limit) {
    return Finding{.rule = RuleId::tensor_numel_no_overflow, .variant = 1};
  }
  return std::nullopt;
}

// The elements span no more than 2^63-1 bytes, and stay inside the address space or the buffer.
// Source: dlpack.h v1.2, DLTensor.strides and DLTensor.byte_offset.
Answer tensor_strides_no_overflow(const Subject& subject) {
  const auto& reach = subject.reach();
  if (!reach || tensor_numel_no_overflow(subject)) return std::nullopt;
  Finding finding{.rule = RuleId::tensor_strides_no_overflow};
  if (byte_size(reach->high - reach->low + 1, subject.element_bits()) > signed_limit) return finding;
  if (subject.data_is_address() && subject.tensor.data != nullptr && leaves_address_space(subject.start(), *reach)) {
    finding.variant = 1;
    return finding;
  }
  if (subject.data_is_handle() && leaves_buffer(subject.start(), *reach)) {
    finding.variant = 2;
    return finding;
  }
  return std::nullopt;
}

// From version 1.2 on strides are not NULL, except for rank 0. Without a version minor() is 0.
// Source: dlpack.h v1.2, DLTensor.strides.
Answer tensor_strides_not_null(const Subject& subject) {
  const abi::Tensor& tensor = subject.tensor;
  if (subject.minor() < 2 || tensor.ndim <= 0 || tensor.strides != nullptr) return std::nullopt;
  return Finding{.rule = RuleId::tensor_strides_not_null, .value = tensor.ndim, .other = subject.minor()};
}

// Strides count elements, not bytes. They count bytes when every stride of an axis of an extent above 1 is the source's
// times the element size.
// Source: dlpack.h v1.2, DLTensor.strides.
Answer tensor_strides_unit(const Subject& subject) {
  if (!subject.has_elements() || !subject.strides_read()) return std::nullopt;
  const std::int64_t* const expected = source_strides(subject);
  const std::uint32_t size = item_size(subject.tensor.dtype);
  if (expected == nullptr || subject.tensor.dtype != subject.source_layout()->dtype || size <= 1) return std::nullopt;
  Answer answer;
  for (std::size_t axis = 0; axis < subject.shape().size(); ++axis) {
    const std::int64_t stride = subject.tensor.strides[axis];
    if (subject.shape()[axis] <= 1) continue;
    if (Wide(stride) != Wide(expected[axis]) * size) return std::nullopt;
    if (stride != 0 && !answer) {
      answer = Finding{RuleId::tensor_strides_unit, 0, static_cast<std::int32_t>(axis), stride, expected[axis]};
    }
  }
  return answer;
}

// data is a multiple of 256, with the rest of the address in byte_offset. No library follows it.
// Source: dlpack.h v1.2, DLTensor.data.
Answer tensor_data_256_aligned(const Subject& subject) {
  const std::uintptr_t remainder = address_of(subject.tensor.data) % data_alignment;
  if (!subject.data_is_address() || !subject.has_elements() || remainder == 0) return std::nullopt;
  return Finding{.rule = RuleId::tensor_data_256_aligned, .value = static_cast<std::int64_t>(remainder)};
}

// A tensor without elements has data NULL.
// Source: dlpack.h v1.0, DLTensor.data.
Answer tensor_data_null_when_empty(const Subject& subject) {
  if (!subject.empty() || subject.tensor.data == nullptr) return std::nullopt;
  return Finding{.rule = RuleId::tensor_data_null_when_empty};
}

// A tensor with elements has data. (Rank 0: tensor_ndim0_is_scalar. A handle may be 0.)
// Source: dlpack.h v1.2, DLTensor.data.
Answer tensor_data_nonnull_nonempty(const Subject& subject) {
  if (subject.tensor.ndim == 0 || !subject.has_elements()) return std::nullopt;
  if (!subject.data_is_address() || subject.tensor.data != nullptr) return std::nullopt;
  return Finding{.rule = RuleId::tensor_data_nonnull_nonempty};
}

// Every element is inside the memory that the export keeps alive.
// Source: dlpack.h v1.2, DLTensor.data, DLTensor.strides and DLManagedTensorVersioned.deleter.
Answer tensor_in_allocation(const Subject& subject) {
  const auto& reach = subject.reach();
  if (!reach || !allocation_is_judged(subject)) return std::nullopt;
  const Wide before = Wide(subject.origin->allocation_begin) - (subject.start() + reach->low_bytes);
  const Wide beyond = subject.start() + reach->high_bytes - Wide(subject.origin->allocation_end);
  if (before > 0) return Finding{.rule = RuleId::tensor_in_allocation, .value = distance(before)};
  if (beyond > 0) return Finding{.rule = RuleId::tensor_in_allocation, .variant = 1, .value = distance(beyond)};
  return std::nullopt;
}

}  // namespace dlspec::reference::checks
