#include <dlspec/vocabulary/device.h>

#include <charconv>

namespace dlspec {
namespace {

std::optional<std::int32_t> parse_int(std::string_view text) {
  std::int32_t value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int32_t> parse_type(std::string_view text) {
  for (const DeviceRow& row : device_table) {
    if (text == row.short_name) return row.value;
  }
  constexpr std::string_view prefix = "device(";
  if (text.starts_with(prefix) && text.ends_with(')')) {
    return parse_int(text.substr(prefix.size(), text.size() - prefix.size() - 1));
  }
  return std::nullopt;
}

}  // namespace

std::string device_text(abi::Device device) {
  const DeviceRow* row = find_device(device.device_type);
  std::string text =
      row != nullptr ? std::string(row->short_name) : "device(" + std::to_string(device.device_type) + ")";
  if (device.device_id != 0) text += ":" + std::to_string(device.device_id);
  return text;
}

std::optional<abi::Device> parse_device(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::optional<std::int32_t> type = parse_type(text.substr(0, colon));
  if (!type) return std::nullopt;
  if (colon == std::string_view::npos) return abi::Device{*type, 0};
  const std::optional<std::int32_t> id = parse_int(text.substr(colon + 1));
  if (!id) return std::nullopt;
  return abi::Device{*type, *id};
}

}  // namespace dlspec
