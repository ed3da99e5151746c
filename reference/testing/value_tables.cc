#include <dlspec/reference/testing/value_tables.h>

#include <algorithm>
#include <tuple>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::testing {
namespace {

constexpr std::uint8_t integer_widths[] = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::uint8_t usual_float_widths[] = {16, 32, 64, 128};
constexpr std::uint8_t last_code = std::end(dtype_table)[-1].value;

void append(std::vector<abi::DataType>& dtypes, std::uint8_t code, std::span<const std::uint8_t> widths) {
  for (const std::uint8_t bits : widths) {
    for (const std::uint16_t lanes : lane_counts) dtypes.push_back({code, bits, lanes});
  }
}

std::vector<abi::DataType> make_conforming_dtypes() {
  std::vector<abi::DataType> dtypes;
  for (const DtypeCodeRow& row : dtype_table) {
    if (!row.released() || row.value == kDLOpaqueHandle) continue;
    for (const std::uint8_t bits : usual_widths(row.value)) dtypes.push_back({row.value, bits, 1});
  }
  return dtypes;
}

std::vector<abi::DataType> make_all_dtypes() {
  std::vector<abi::DataType> dtypes;
  for (std::uint8_t code = 0; code <= last_code + 1; ++code) {
    append(dtypes, code, usual_widths(code));
    append(dtypes, code, odd_widths);
  }
  append(dtypes, 255, integer_widths);
  const auto key = [](abi::DataType dtype) { return std::tuple(dtype.code, dtype.bits, dtype.lanes); };
  std::sort(dtypes.begin(), dtypes.end(), [&](abi::DataType a, abi::DataType b) { return key(a) < key(b); });
  dtypes.erase(std::unique(dtypes.begin(), dtypes.end()), dtypes.end());
  return dtypes;
}

std::vector<abi::Device> make_all_devices() {
  constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t outside[] = {-1, 256 + kDLCPU, 512 + kDLCUDA, greatest,
                                      std::numeric_limits<std::int32_t>::min()};
  std::vector<std::int32_t> types(std::begin(outside), std::end(outside));
  for (std::int32_t type = 0; type <= std::end(device_table)[-1].value + 1; ++type) types.push_back(type);
  std::vector<abi::Device> devices;
  for (const std::int32_t type : types) {
    for (const std::int32_t id : {0, 1, -1, greatest}) devices.push_back({type, id});
  }
  return devices;
}

}  // namespace

std::span<const std::uint8_t> usual_widths(std::uint8_t code) {
  switch (code) {
    case kDLInt:
    case kDLUInt:
    case kDLOpaqueHandle: return integer_widths;
    case kDLFloat: return usual_float_widths;
    case kDLComplex:
    case kDLBcomplex: return complex_widths;
    default: break;
  }
  const DtypeCodeRow* row = find_dtype_code(code);
  return row != nullptr ? std::span(&row->bits, 1) : std::span<const std::uint8_t>();
}

std::span<const abi::DataType> conforming_dtypes() {
  static const std::vector<abi::DataType> dtypes = make_conforming_dtypes();
  return dtypes;
}

std::span<const abi::DataType> all_dtypes() {
  static const std::vector<abi::DataType> dtypes = make_all_dtypes();
  return dtypes;
}

std::span<const abi::Device> all_devices() {
  static const std::vector<abi::Device> devices = make_all_devices();
  return devices;
}

}  // namespace dlspec::testing
