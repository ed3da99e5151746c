// The device table: typed access to device.def. Source: dlpack.h, DLDeviceType and DLDevice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dlspec/vocabulary/abi.h>

namespace dlspec {

// The `since` of values that only upstream's unreleased main defines.
inline constexpr abi::Version unreleased{99, 0};

enum DeviceType : std::int32_t {
#define DLSPEC_DEVICE(value, name, short_name, major, minor, host, data) name = value,
#include <dlspec/vocabulary/device.def>
#undef DLSPEC_DEVICE
};

// What the field data of a device's tensors is.
enum class DeviceData : std::uint8_t { address, handle, unknown };

struct DeviceRow {
  std::int32_t value;
  const char* name;
  const char* short_name;
  abi::Version since;
  bool host;  // device_id is 0 by definition
  DeviceData data;

  [[nodiscard]] constexpr bool address() const { return data == DeviceData::address; }
  [[nodiscard]] constexpr bool released() const { return since != unreleased; }
};

inline constexpr DeviceRow device_table[] = {
#define DLSPEC_DEVICE(value, name, short_name, major, minor, host, data) \
  {value, #name, #short_name, {major, minor}, host, DeviceData::data},
#include <dlspec/vocabulary/device.def>
#undef DLSPEC_DEVICE
};

// The row of a device type, or NULL when no release and not even upstream's main defines it.
[[nodiscard]] constexpr const DeviceRow* find_device(std::int32_t device_type) {
  for (const DeviceRow& row : device_table) {
    if (row.value == device_type) return &row;
  }
  return nullptr;
}

// "cpu", "cuda:1" (an id of 0 is omitted), "device(99):3" for an undefined type.
[[nodiscard]] std::string device_text(abi::Device device);

// The inverse of device_text; no value when the text does not have that form.
[[nodiscard]] std::optional<abi::Device> parse_device(std::string_view text);

}  // namespace dlspec
