// abi.*: bytes in the layout of another compiler.
#include <cstdint>

#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {
namespace {

std::uintptr_t misalignment(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % natural_alignment;
}

Answer misaligned(RuleId rule, std::uint8_t variant, const void* pointer) {
  return Finding{.rule = rule, .variant = variant, .value = static_cast<std::int64_t>(misalignment(pointer))};
}

}  // namespace

// The struct exists, with the alignment of its members.
// Source: dlpack.h, DLTensor, DLManagedTensor and DLManagedTensorVersioned: plain C structs.
Answer abi_sizes_offsets(const Exported& exported) {
  if (exported.object() == nullptr) return Finding{.rule = RuleId::abi_sizes_offsets};
  if (misalignment(exported.object()) != 0) return misaligned(RuleId::abi_sizes_offsets, 1, exported.object());
  return std::nullopt;
}

// DLDeviceType has 32 bits. A compiler that makes it one byte leaves three bytes of garbage above a valid device type.
// Source: dlpack.h v1.2, DLDeviceType (`enum : int32_t` in C++).
Answer abi_device_type_32bit(const Subject& subject) {
  const std::int32_t type = subject.tensor.device.device_type;
  const std::int32_t low_byte = type & 0xFF;
  const DeviceRow* const meant = find_device(low_byte);
  if (subject.device() != nullptr || meant == nullptr || !meant->released()) return std::nullopt;
  return Finding{.rule = RuleId::abi_device_type_32bit, .value = type, .other = low_byte};
}

// shape and strides point to arrays of int64_t, so their addresses are aligned for it, as NULL is.
// Source: dlpack.h v1.2, DLTensor.shape and DLTensor.strides.
Answer abi_shape_int64(const Subject& subject) {
  if (!subject.has_axes()) return std::nullopt;
  const abi::Tensor& tensor = subject.tensor;
  if (misalignment(tensor.shape) != 0) return misaligned(RuleId::abi_shape_int64, 0, tensor.shape);
  if (misalignment(tensor.strides) != 0) return misaligned(RuleId::abi_shape_int64, 1, tensor.strides);
  return std::nullopt;
}

}  // namespace dlspec::reference::checks
