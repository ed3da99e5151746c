// device.*: where the memory is.
#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {

// The device type is an enumerator of DLDeviceType. A version newer than newest_version may have more of them, and some
// are in the header's main branch but in no release.
// Source: dlpack.h v1.2, DLDeviceType.
Answer device_type_known(const Subject& subject) {
  Finding finding{.rule = RuleId::device_type_known, .value = subject.tensor.device.device_type};
  if (subject.device() != nullptr) {
    if (subject.device()->released()) return std::nullopt;
    finding.variant = 2;
    return finding;
  }
  if (abi_device_type_32bit(subject)) return std::nullopt;
  return subject.undefined(finding);
}

// Plain host memory, pinned memory and managed memory have device_id 0.
// Source: dlpack.h v1.2, DLDevice.device_id.
Answer device_id_zero_host(const Subject& subject) {
  const abi::Device device = subject.tensor.device;
  if (subject.device() == nullptr || !subject.device()->host || device.device_id <= 0) return std::nullopt;
  return Finding{.rule = RuleId::device_id_zero_host, .value = device.device_id, .other = device.device_type};
}

// device_id is an index, so it is not negative.
// Source: dlpack.h v1.2, DLDevice.device_id.
Answer device_id_nonnegative(const Subject& subject) {
  const std::int32_t id = subject.tensor.device.device_id;
  if (id >= 0) return std::nullopt;
  return Finding{.rule = RuleId::device_id_nonnegative, .value = id};
}

// kDLCPU memory is read by plain loads, which fault on the first page.
// Source: array API 2023.12, __dlpack__, dl_device; dlpack.h v1.2, kDLCPU.
Answer device_cpu_dereferenceable(const Subject& subject) {
  if (subject.tensor.device.device_type != kDLCPU || subject.tensor.data == nullptr) return std::nullopt;
  const auto& reach = subject.reach();
  if (!reach) return std::nullopt;
  const Wide lowest = subject.start() + reach->low_bytes;
  if (lowest >= lowest_host_address) return std::nullopt;
  if (tensor_numel_no_overflow(subject) || tensor_strides_no_overflow(subject)) return std::nullopt;
  return Finding{.rule = RuleId::device_cpu_dereferenceable, .value = *lowest.to_int64()};
}

}  // namespace dlspec::reference::checks
