// The dtype table: typed access to dtype.def, and the names of dtypes. Source: dlpack.h,
// DLDataTypeCode and DLDataType; names as in the array API standard where it has one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec {

enum DtypeCode : std::uint8_t {
#define DLSPEC_DTYPE_CODE(value, name, stem, bits, major, minor) name = value,
#include <dlspec/vocabulary/dtype.def>
#undef DLSPEC_DTYPE_CODE
};

struct DtypeCodeRow {
  std::uint8_t value;
  const char* name;
  const char* stem;
  std::uint8_t bits;  // the code's one width, or 0
  abi::Version since;

  [[nodiscard]] constexpr bool released() const { return since != unreleased; }
};

inline constexpr DtypeCodeRow dtype_table[] = {
#define DLSPEC_DTYPE_CODE(value, name, stem, bits, major, minor) {value, #name, #stem, bits, {major, minor}},
#include <dlspec/vocabulary/dtype.def>
#undef DLSPEC_DTYPE_CODE
};

// The row of a type code, or NULL when no release and not even upstream's main defines it.
[[nodiscard]] constexpr const DtypeCodeRow* find_dtype_code(std::uint8_t code) {
  for (const DtypeCodeRow& row : dtype_table) {
    if (row.value == code) return &row;
  }
  return nullptr;
}

// The widths, in bits, of the two codes that have several and whose widths the text fixes; dtype.def gives 0 for their
// `bits`. IEEE 754-2019, section 3.6: 16, 32, 64, 128 and multiples of 32 above that, as far as `bits` counts. Complex:
// both parts together, of an IEEE 754 half, single or double each.
inline constexpr std::uint8_t float_widths[] = {16, 32, 64, 128, 160, 192, 224};
inline constexpr std::uint8_t complex_widths[] = {32, 64, 128};

// Bits of one element, all lanes together. At most 255 * 65535.
[[nodiscard]] constexpr std::uint32_t element_bits(abi::DataType dtype) {
  return std::uint32_t{dtype.bits} * std::uint32_t{dtype.lanes};
}

// Lanes narrower than a byte: elements are bit-packed, across byte boundaries, unless the padded flag is set.
[[nodiscard]] constexpr bool is_subbyte(abi::DataType dtype) { return dtype.bits < 8; }

// Element size in bytes (bits * lanes / 8), for elements that fill whole bytes; 0 for those that do not, and for
// elements without bits.
[[nodiscard]] constexpr std::uint32_t item_size(abi::DataType dtype) {
  return element_bits(dtype) % 8 == 0 ? element_bits(dtype) / 8 : 0;
}

// "float32", "bool", "float8_e4m3fn", "int4", lanes appended as "float32x4". A dtype without a name, such as one of a
// width that its code does not have, is spelled "dtype(code,bits,lanes)".
[[nodiscard]] std::string dtype_name(abi::DataType dtype);

// The inverse of dtype_name; no value when the text names no dtype.
[[nodiscard]] std::optional<abi::DataType> parse_dtype(std::string_view text);

}  // namespace dlspec
