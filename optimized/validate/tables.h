// device.def and dtype.def as tables, indexed by value at compile time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::optimized {

struct DeviceTraits {
  bool listed = false;    // in device.def
  bool released = false;  // defined by a release
  bool host = false;
  DeviceData data = DeviceData::unknown;
  std::uint32_t since_minor = 0;  // the first release 1.x that has it; 0 for older ones
};

inline constexpr std::size_t device_slots = 32;

inline constexpr auto device_traits = [] {
  std::array<DeviceTraits, device_slots> traits{};
  for (const DeviceRow& row : device_table) {
    const std::uint32_t since_minor = row.since.major == 1 ? row.since.minor : 0;
    traits.at(static_cast<std::size_t>(row.value)) = {true, row.released(), row.host, row.data, since_minor};
  }
  return traits;
}();

// Traits of any device type; unlisted if nobody defines it.
[[nodiscard]] constexpr const DeviceTraits& traits_of(std::int32_t device_type) {
  const auto slot = static_cast<std::uint32_t>(device_type);
  return device_traits[slot < device_slots ? slot : 0];
}
static_assert(!device_traits[0].listed, "slot 0 stands for all undefined types");

// Entries up to the highest code in dtype.def.
inline constexpr std::size_t dtype_slots = [] {
  std::size_t slots = 0;
  for (const DtypeCodeRow& row : dtype_table) slots = std::max<std::size_t>(slots, row.value + std::size_t{1});
  return slots;
}();

// Whether dtype.def, or the lists of dtype.h, have this width for the code. A code that only says how to read its bits
// (integers, opaque handles, bcomplex), or that nobody defines, has every width.
[[nodiscard]] constexpr bool has_width(std::uint8_t code, std::uint8_t bits) {
  if (code == kDLFloat) return std::ranges::find(float_widths, bits) != std::end(float_widths);
  if (code == kDLComplex) return std::ranges::find(complex_widths, bits) != std::end(complex_widths);
  // A plain loop: with std::ranges the table below takes more steps than clang 23 allows a constant expression (2^20).
  for (const DtypeCodeRow& row : dtype_table) {
    if (row.value == code && row.bits != 0 && row.bits != bits) return false;
  }
  return true;
}

// The rule that a width violates, whatever else is wrong with the dtype.
[[nodiscard]] constexpr std::optional<RuleId> violated_by_width(std::uint8_t code, std::uint8_t bits) {
  const auto unless = [](bool fits, RuleId rule) { return fits ? std::nullopt : std::optional(rule); };
  if (bits == 0) return code == kDLComplex ? RuleId::dtype_bits_overflow_refused : RuleId::dtype_bits_nonzero;
  const bool fits = has_width(code, bits);
  switch (code) {
    case kDLFloat: return unless(fits, RuleId::dtype_float_is_ieee);
    case kDLBfloat: return unless(fits, RuleId::dtype_bfloat_width);
    case kDLComplex: return unless(fits, RuleId::dtype_complex_total_bits);
    case kDLBool: return unless(fits, RuleId::dtype_bool_bits_8);
    case kDLFloat6_e2m3fn:
    case kDLFloat6_e3m2fn: return unless(fits, RuleId::dtype_fp6_bits_6);
    case kDLFloat4_e2m1fn: return unless(fits, RuleId::dtype_fp4_bits_4);
    case kDLInt:
    case kDLUInt:
    case kDLOpaqueHandle:
    case kDLBcomplex: return unless(bits < 8 || bits % 8 == 0, RuleId::dtype_odd_width_refused);
    default: break;
  }
  return unless(fits, RuleId::dtype_fp8_bits_8);
}

struct DtypeTraits {
  bool listed = false;
  bool released = false;
  std::uint32_t since_minor = 0;
  std::array<std::uint64_t, 4> clean_widths{};  // one bit per width: a scalar of this width has no dtype finding
};

inline constexpr auto dtype_traits = [] {
  std::array<DtypeTraits, dtype_slots> traits{};
  for (const DtypeCodeRow& row : dtype_table) {
    DtypeTraits& entry = traits[row.value];
    entry.listed = true;
    entry.released = row.released();
    entry.since_minor = row.since.major == 1 ? row.since.minor : 0;
    if (!row.released() || row.value == kDLOpaqueHandle) continue;
    for (unsigned bits = 0; bits < 256; ++bits) {
      if (violated_by_width(row.value, static_cast<std::uint8_t>(bits))) continue;
      entry.clean_widths[bits / 64] |= std::uint64_t{1} << bits % 64;
    }
  }
  return traits;
}();

}  // namespace dlspec::optimized
