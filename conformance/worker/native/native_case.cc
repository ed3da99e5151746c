#include <dlspec/conformance/worker/native/native_case.h>

#include <fmt/format.h>

#include <algorithm>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

NativeCase::NativeCase(const Case& work)
    : variant(work.variant),
      offset(work.order.offset),
      read_only(work.order.read_only),
      device(work.order.device),
      rules(work.rules),
      alone(work.alone),
      sequences(work.sequences),
      journal(work.journal) {
  layout.dtype = parse_dtype(work.order.dtype).value_or(abi::DataType{});
  layout.shape = work.order.shape;
  layout.strides = work.order.strides;
  layout.byte_offset = static_cast<std::uint64_t>(offset) * item_size(layout.dtype);
  bytes.assign(work.order.bytes.begin(), work.order.bytes.end());
}

DlspecSpec spec_of(const NativeCase& asked, abi::Device device) {
  DlspecSpec spec{};
  spec.code = asked.layout.dtype.code;
  spec.bits = asked.layout.dtype.bits;
  spec.lanes = asked.layout.dtype.lanes;
  spec.ndim = static_cast<std::int32_t>(asked.layout.shape.size());
  spec.shape = asked.layout.shape.data();
  spec.strides = asked.layout.strides ? asked.layout.strides->data() : nullptr;
  spec.offset = asked.offset;
  spec.read_only = asked.read_only ? 1 : 0;
  spec.device_type = device.device_type;
  spec.device_id = device.device_id;
  spec.bytes = asked.bytes.data();
  spec.byte_count = asked.bytes.size();
  return spec;
}

bool NativeAnswer::asks(RuleId rule) const {
  return std::find(asked_.rules.begin(), asked_.rules.end(), rule) != asked_.rules.end();
}

std::string difference(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& wanted) {
  if (got.size() != wanted.size()) return fmt::format("{} bytes of contents instead of {}", got.size(), wanted.size());
  const auto [first, other] = std::mismatch(got.begin(), got.end(), wanted.begin());
  if (first == got.end()) return {};
  return fmt::format("byte {} of the contents is 0x{:02x} instead of 0x{:02x}", first - got.begin(), *first, *other);
}

}  // namespace dlspec::conformance
